//! The file has a different word where the edit keeps one on a changed line.
//!
//! The place is a sibling. If the edit only inserts, the word may be misremembered, unless the file has it elsewhere, or
//! shows that it is a name: other lines differ from the file's line in this word first, and the old text quotes not all of
//! them.
//!
//! Example: file `let width = load("width");`, old `let height = load("height");`, new `let height =
//! read("height");`; and `height` elsewhere.

use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::text::tokens::{Interner, Tokens};

use super::{Part, part};

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let old = (0..texts.old.len()).find(|&old| is_sibling(texts, old))?;
    Some(part([texts.old_to_file[old], Some(old), texts.old_to_new[old]]))
}

/// Returns whether the file has a different word for a kept token of the old text.
fn is_sibling(texts: &Texts<'_>, old: usize) -> bool {
    match texts.old_to_new[old] {
        Some(_) if texts.is_on_touched_line(old) => texts.is_different_word(old) || texts.elsewhere[old],
        Some(new) if texts.inserts_on_line(new) => {
            texts.elsewhere[old] || texts.is_different_word(old) && is_column(texts, old)
        }
        Some(_) | None => false,
    }
}

/// Returns whether other lines of the document, which the old text does not quote, differ from the file's line first in
/// the word of a token, before the same mark.
fn is_column(texts: &Texts<'_>, old: usize) -> bool {
    let Some(at) = texts.old_to_file[old] else { return false };
    let file = &texts.file;
    let line = file.line_text(file.line_of(at));
    let own: Vec<&str> = file.line_of(at).map(|token| file.get(token)).collect();
    let count = at - file.line_of(at).start;
    let quoted: Vec<&str> = texts.old.text.split('\n').map(str::trim).collect();
    let is_sibling = |other: &str| {
        let mut interner = Interner::default();
        let other = Tokens::new(other, &mut interner);
        let is_word = |at: usize| at < other.len() && other.is_word(at);
        other.len() > count + 1
            && (0..count).all(|at| other.get(at) == own[at])
            && is_word(count)
            && other.get(count) != own[count]
            && own.get(count + 1) == Some(&other.get(count + 1))
    };
    let mut others = [texts.before, file.text, texts.after].into_iter().flat_map(str::lines);
    others.any(|other| other != line && is_sibling(other) && !quoted.contains(&other.trim()))
}
