//! Edits with the head of one block above the body of another.

use fastrand::Rng;

use super::super::case::{Case, edit};
use super::super::texts::Text;
use super::super::words::{changed, indentation, is_word, shared_words, words};

/// Words before the name of a declaration, and words that may precede them.
const DECLARING: &str = "def class fn func function struct enum trait interface module sub record";
const BEFORE: &str =
    "pub crate async static export default public private protected final abstract unsafe const inline";

/// Returns whether a list has a word.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Words that may follow a name.
const AFTER: [&str; 5] = ["extends ", "implements ", "final ", "where ", "for "];

/// Lines of the body in the old text, at most.
const MAX_BODY: usize = 5;

/// The least distance of two pieces, in lines, that a writer would not skip by mistake.
const MIN_GAP: usize = 20;

/// Names that no file has.
const ABSENT: [&str; 3] = ["zither_lobby", "quixoticVeranda", "WombatChimney"];

/// A block: a line that declares a name, and the deeper lines below it.
struct Block<'t> {
    /// The line of the head, counted from 0.
    at: usize,
    head: &'t str,
    name: &'t str,
    body: Vec<&'t str>,
}

/// Returns the name that a line declares, if it opens a block.
fn declared(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    if !rest.ends_with([':', '{']) {
        return None;
    }
    loop {
        let (word, after) = rest.split_at(rest.find(|c| !is_word(c))?);
        rest = after.trim_start_matches([' ', '(', ')']);
        if has(DECLARING, word) {
            let (name, after) = rest.split_at(rest.find(|c| !is_word(c))?);
            // `enum class State` declares another word, and `struct inittab table[]` may declare both.
            let is_name = name.len() > 2 && !has(DECLARING, name);
            let after = after.trim_start();
            let is_end = after.starts_with(['(', '<', '{', ':']) || AFTER.iter().any(|word| after.starts_with(word));
            return (is_name && is_end && !after.starts_with("::")).then_some(name);
        }
        if !has(BEFORE, word) {
            return None;
        }
    }
}

/// Returns the blocks of a text.
fn blocks(text: &Text) -> Vec<Block<'_>> {
    let lines = text.lines();
    let mut blocks = Vec::new();
    for (at, head) in lines.iter().copied().enumerate() {
        if let Some(name) = declared(head) {
            let below = lines[at + 1..].iter().copied();
            let body =
                below.take_while(|line| line.trim().is_empty() || indentation(line) > indentation(head)).collect();
            blocks.push(Block { at, head, name, body });
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

/// Returns whether the lines of a body differ from those of `named`, and have enough words.
fn is_foreign(body: &[&str], named: &Block<'_>) -> bool {
    let written: Vec<&&str> = body.iter().filter(|line| !words(line).is_empty()).collect();
    let is_foreign =
        |line: &str| named.body.iter().all(|own| shared_words(line, own) < 0.5 && own.trim() != line.trim());
    written.len() >= 2 && written.iter().all(|line| is_foreign(line))
}

/// Picks two blocks with different names, and lines of the second body that resemble none of the first. Returns them
/// with the position of these lines in the file.
fn two_blocks<'t>(text: &'t Text, rng: &mut Rng) -> Option<(Block<'t>, Vec<&'t str>, usize)> {
    let mut blocks = blocks(text);
    let (named, other) = (rng.usize(..blocks.len().max(1)), rng.choice(&blocks)?);
    let first = if rng.bool() { 0 } else { rng.usize(..other.body.len().max(1)) };
    let body: Vec<&str> = other.body.iter().copied().skip(first).take(rng.usize(2..=MAX_BODY)).collect();
    let (at, name, level) = (other.at + 1 + first, other.name, indentation(other.head));
    let is_distinguishable = level == indentation(blocks[named].head) && !are_alike(blocks[named].name, name);
    let named = blocks.swap_remove(named);
    let is_sure = is_distinguishable && is_foreign(&body, &named) && text.text.matches(named.head).count() == 1;
    is_sure.then_some((named, body, at))
}

/// The old text has the head of one block and lines of another body, and changes these.
pub(super) fn other_block(text: &Text, rng: &mut Rng) -> Option<Case> {
    let (named, body, _) = two_blocks(text, rng).filter(|(named, ..)| !named.body.is_empty())?;
    under(text, named.head, &body, rng)
}

/// The old text has the first lines of one block and lines of another one before it or far after it, and changes these.
pub(super) fn left_block(text: &Text, rng: &mut Rng) -> Option<Case> {
    let (named, body, at) = two_blocks(text, rng)?;
    let own = &named.body[..rng.usize(1..=2).min(named.body.len())];
    let is_far = at < named.at || at > named.at + own.len() + MIN_GAP;
    let own = own.iter().fold(named.head.to_owned(), |own, line| own + "\n" + line);
    under(text, &own, &body, rng).filter(|_| is_far && !named.body.is_empty())
}

/// The old text has the lines of a block below a head with a name that the file lacks.
pub(super) fn other_name(text: &Text, rng: &mut Rng) -> Option<Case> {
    let blocks = blocks(text);
    let block = rng.choice(&blocks)?;
    let name = ABSENT[rng.usize(..ABSENT.len())];
    let body: Vec<&str> = block.body.iter().copied().take(rng.usize(1..=MAX_BODY)).collect();
    if are_alike(block.name, name) || body.iter().all(|line| words(line).is_empty()) {
        return None;
    }
    under(text, &block.head.replace(block.name, name), &body, rng)
}

/// Makes an edit of lines below others, which must be rejected.
fn under(text: &Text, head: &str, body: &[&str], rng: &mut Rng) -> Option<Case> {
    let body = body.join("\n");
    let (old, new) = (format!("{head}\n{body}"), format!("{head}\n{}", changed(&body, rng)?));
    (!text.text.contains(&old)).then(|| edit(text, old, new, None))
}
