//! An inserted line uses a name that only a line of the old text has which the file lacks.
//!
//! The author believes that the file has the line: an import, a variable, a parameter. The new text would use a name that
//! nothing declares. A name that the inserted text declares itself is founded; words of comments, strings and prose are no
//! names.
//!
//! Example: file `import os  run()`, old `import os  import shop  run()`, new `import os  import shop  run(shop.all())`.

use rustc_hash::FxHashSet;

use crate::align::three_way::Texts;
use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::tokens::{Class, Tokens};

use super::{Part, part};

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let (old, new) = (&texts.old, &texts.new);
    let lost: Vec<usize> =
        old.words(0..old.len()).filter(|&word| texts.absent[word] && is_context(texts, word)).collect();
    if lost.is_empty() {
        return None;
    }
    let is_used = |&token: &usize| is_name(new, token) && !is_keyword(new, token);
    let inserted = merge.hunks.iter().flat_map(Hunk::inserted).copied().filter(is_used);
    // The first use of a name may declare it.
    let mut known = FxHashSet::default();
    let mut uses = inserted.filter(|&token| known.insert(new.items[token].id));
    let (word, name) = uses.find_map(|token| {
        let word = lost.iter().copied().find(|&word| old.items[word].id == new.items[token].id)?;
        (!declares(new, token)).then_some((word, token))
    })?;
    Some(part([None, Some(word), Some(name)]))
}

/// Returns whether a word of the old text is on a line of code that the edit keeps, and most of which the file lacks.
fn is_context(texts: &Texts<'_>, word: usize) -> bool {
    let old = &texts.old;
    let line = old.line_of(word);
    let is_glued_to = |at: usize, mark: &str| old.is_glued(at.max(word)) && old.get(at) == mark;
    // A called method is a member of something else.
    let is_method =
        word > line.start && is_glued_to(word - 1, ".") && word + 1 < line.end && is_glued_to(word + 1, "(");
    !is_method
        && texts.is_kept(word)
        && is_name(&texts.old, word)
        && texts.is_mostly_lost(word)
        && texts.old.is_word(line.start)
}

/// Returns whether a word is a name in code: in no comment, in no string, and no number.
fn is_name(tokens: &Tokens<'_>, word: usize) -> bool {
    let line = tokens.line_of(word);
    let quotes = (line.start..word).filter(|&at| tokens.class(at) == Class::Quote).count();
    let is_text = tokens.in_comment(word) || quotes % 2 == 1;
    tokens.is_word(word)
        && !tokens.get(word).starts_with(|c: char| c.is_ascii_digit())
        && !is_text
        && is_code(tokens, word)
}

/// Returns whether a word is a keyword: it is no member, and another word follows it; or it is the only one of its line.
fn is_keyword(tokens: &Tokens<'_>, word: usize) -> bool {
    let line = tokens.line_of(word);
    let is_followed = word + 1 < line.end && tokens.is_word(word + 1);
    let is_member = word > 0 && tokens.is_glued(word) && tokens.get(word - 1) == ".";
    (is_followed && !is_member) || tokens.words(line).count() == 1
}

/// Returns whether the line of a word is code: it has a mark that no sentence has there.
fn is_code(tokens: &Tokens<'_>, word: usize) -> bool {
    tokens.line_of(word).any(|at| match tokens.get(at) {
        "=" | "{" | "}" | "[" | "]" | ";" | "<" | ">" | "$" | "@" | "_" | "&" | "|" => true,
        "(" | "." => tokens.is_glued(at) && at > 0 && tokens.is_word(at - 1) && tokens.is_glued(at + 1),
        ":" => tokens.ends_line(at),
        "import" | "use" | "using" | "include" | "require" => tokens.opens_line(at),
        _ => false,
    })
}

/// Returns whether a word is declared: a value is assigned to it, or another word and a blank are before it.
fn declares(tokens: &Tokens<'_>, word: usize) -> bool {
    let is_assigned = tokens.items.get(word + 1).is_some()
        && matches!(tokens.get(word + 1), "=" | ":" | ",")
        && !(word + 2 < tokens.len() && matches!(tokens.get(word + 2), "=" | ":"))
        && tokens.opens_line(word);
    let before = word.checked_sub(1).filter(|&before| !tokens.opens_line(word) && tokens.is_word(before));
    is_assigned || before.is_some_and(|before| !USES.contains(&tokens.get(before)))
}

/// Words before a name that is used.
const USES: &[&str] = &[
    "and",
    "as",
    "assert",
    "await",
    "case",
    "delete",
    "echo",
    "else",
    "elif",
    "extends",
    "if",
    "implements",
    "in",
    "instanceof",
    "is",
    "new",
    "not",
    "of",
    "or",
    "print",
    "raise",
    "return",
    "throw",
    "typeof",
    "until",
    "when",
    "while",
    "with",
    "yield",
];
