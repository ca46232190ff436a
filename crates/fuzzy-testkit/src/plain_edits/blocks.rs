//! Edits with the head of one block over the body of another.

use fastrand::Rng;

use super::words::{changed, shared_words, word_texts};
use super::{Edit, Text};

/// Words behind which a head has its name, and words that may be before them.
const DECLARING: [&str; 12] =
    ["def", "class", "fn", "func", "function", "struct", "enum", "trait", "interface", "module", "sub", "record"];
const BEFORE: [&str; 14] = [
    "pub",
    "crate",
    "async",
    "static",
    "export",
    "default",
    "public",
    "private",
    "protected",
    "final",
    "abstract",
    "unsafe",
    "const",
    "inline",
];

/// The most lines of the body that the old text has.
const MAX_BODY: usize = 5;

/// A block: a line that declares a name, and the deeper lines below it.
struct Block<'t> {
    head: &'t str,
    name: &'t str,
    body: Vec<&'t str>,
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the name that a line declares, if it opens a block.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim();
    let words = word_texts(line);
    let at = words.iter().position(|word| !BEFORE.contains(word))?;
    let is_head = line.starts_with(char::is_alphabetic) && line.ends_with([':', '{']) && DECLARING.contains(&words[at]);
    is_head.then(|| words.get(at + 1).copied())?
}

/// Returns the blocks of a text.
fn blocks(text: &Text) -> Vec<Block<'_>> {
    let lines = text.lines();
    let mut blocks = Vec::new();
    for (at, head) in lines.iter().copied().enumerate() {
        if let Some(name) = declared(head) {
            let below = lines[at + 1..].iter().copied();
            let body = below.take_while(|line| line.trim().is_empty() || depth(line) > depth(head)).collect();
            blocks.push(Block { head, name, body });
        }
    }
    blocks
}

/// Returns whether two names may be spellings of one.
fn are_alike(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let shorter = one.len().min(other.len());
    one.contains(&other) || other.contains(&one) || levenshtein::levenshtein(&one, &other) * 2 < shorter
}

/// The old text has the head of one block and some lines of another one's body, and changes these.
pub(super) fn other_block(text: &Text, rng: &mut Rng) -> Option<Edit> {
    let blocks = blocks(text);
    let (named, other) = (rng.choice(&blocks)?, rng.choice(&blocks)?);
    let first = if rng.bool() { 0 } else { rng.usize(..other.body.len().max(1)) };
    let body: Vec<&str> = other.body.iter().copied().skip(first).take(rng.usize(2..=MAX_BODY)).collect();
    let is_told_apart = depth(named.head) == depth(other.head) && !are_alike(named.name, other.name);
    // The block that the head names must have nothing that the body may be about.
    let is_foreign =
        |line: &&&str| named.body.iter().all(|own| shared_words(line, own) < 0.5 && own.trim() != line.trim());
    let written = body.iter().filter(|line| !word_texts(line).is_empty());
    let is_foreign = written.clone().count() >= 2 && written.clone().count() == written.filter(is_foreign).count();
    if named.body.is_empty() || !is_told_apart || !is_foreign || text.text.matches(named.head).count() != 1 {
        return None;
    }
    let body = body.join("\n");
    let (old, new) = (format!("{}\n{body}", named.head), format!("{}\n{}", named.head, changed(&body, rng)?));
    (!text.text.contains(&old)).then_some(Edit { content: None, old, new, expected: None })
}
