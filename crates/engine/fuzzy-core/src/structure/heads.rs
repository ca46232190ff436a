//! The kind of a block by its first line, and the lines that hang on it.

use super::{Outline, is_comment};
use crate::ranges::lines::is_word_part;

/// Words before the one that names the kind of a block.
const MODIFIERS: [&str; 25] = [
    "abstract",
    "async",
    "const",
    "declare",
    "default",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "local",
    "open",
    "override",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "unsafe",
    "virtual",
    "data",
    "mut",
];

/// The kind of a line: siblings have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind<'t> {
    /// The first word or mark, without modifiers: `def`, `- `, `<li`.
    word: &'t str,
    /// Whether a name is called, or has parameters: methods of classes have nothing else in common.
    pub(super) has_call: bool,
    /// The mark at the end that opens the block.
    opening: Option<char>,
    /// Whether it is a key.
    is_key: bool,
}

impl<'t> Kind<'t> {
    /// Returns the kind of a line without its indentation.
    pub(crate) fn of(line: &'t str) -> Self {
        let mut rest = line;
        loop {
            let length = rest.find(|c| !is_word_part(c)).unwrap_or(rest.len());
            let after = rest[length..].trim_start();
            // `pub(crate)`
            let after = if &rest[..length] == "pub" && after.starts_with('(') {
                after.split_once(')').map_or(after, |(_, after)| after.trim_start())
            } else {
                after
            };
            if !MODIFIERS.contains(&&rest[..length]) || !after.starts_with(is_word_part) {
                break;
            }
            rest = after;
        }
        let mark = rest.len() - rest.trim_start_matches(|c| !is_word_part(c) && c != '"' && c != '\'').len();
        let word = match rest[mark..].find(|c| !is_word_part(c)) {
            _ if mark > 0 && !rest.starts_with('<') => rest[..mark].trim_end(),
            length => &rest[..mark + length.unwrap_or(rest.len() - mark)],
        };
        let call = line.find('(').filter(|at| line[..*at].ends_with(|c| is_word_part(c) || c == '>'));
        let key = line.trim_start_matches(['"', '\'']).trim_start_matches(|c| is_word_part(c) || c == '-');
        let is_key = key.trim_start_matches(['"', '\'']).starts_with(':') && !key.starts_with("::");
        let opening = line.chars().next_back().filter(|c| ['{', '(', '[', ':'].contains(c));
        Self { word, has_call: call.is_some(), opening, is_key }
    }

    /// Returns whether both begin with the same word or mark.
    pub(crate) fn has_word_of(&self, other: &Self) -> bool {
        self.word == other.word && !self.word.is_empty()
    }

    /// Returns whether both are of the same form, such as methods.
    pub(crate) fn has_form_of(&self, other: &Self) -> bool {
        let is_formed = self.has_call || self.is_key;
        is_formed && (self.has_call, self.is_key) == (other.has_call, other.is_key) && self.opening == other.opening
    }

    /// Returns whether the line is a key of an object or a mapping.
    pub(crate) const fn is_key(&self) -> bool {
        self.is_key
    }

    /// Returns whether the word is a mark of an item, such as `-` or `<li`.
    pub(crate) fn is_item(&self) -> bool {
        !self.word.is_empty()
            && (self.word.starts_with('<') || !self.word.contains(is_word_part))
            && !self.word.starts_with(['"', '\'', '(', '[', '{', '}', ']', ')'])
    }
}

impl<'t> Outline<'t> {
    pub(crate) fn kind(&self, at: usize) -> Kind<'t> {
        Kind::of(self.body(at))
    }

    /// Returns whether a line is an attribute, documentation or a comment.
    pub(crate) fn is_attached(&self, at: usize) -> bool {
        let line = self.body(at);
        is_attribute(line) || is_comment(line) || line.ends_with("*/") || line.starts_with([')', ']'])
    }

    /// Returns the first line of what hangs on the line `head`: attributes, decorators and documentation that touch it, at
    /// its depth. With `is_block` also a plain comment, if a blank line is above it.
    pub(crate) fn hanging(&self, head: usize, is_block: bool) -> usize {
        let depth = self.depth(head);
        let is_beside = |at: usize| self.is_code(at) && self.depth(at) == depth;
        let mut first = head;
        // The first line of comments that touch what hangs.
        let mut comment = None;
        let mut at = head;
        while let Some(above) = at.checked_sub(1).filter(|above| !self.lines.is_blank(*above)) {
            let line = self.body(above);
            if line.ends_with("*/") {
                let Some(start) = (0..=above).rev().find(|at| self.body(*at).starts_with("/*")) else { break };
                if self.depth(start) != depth || (start..above).any(|at| self.body(at).ends_with("*/")) {
                    break;
                }
                at = start;
                if self.body(start).starts_with("/**") {
                    (first, comment) = (start, None);
                } else {
                    comment = Some(start);
                }
            } else if is_beside(above) && (is_attribute(line) || is_documentation(line)) {
                (at, first, comment) = (above, above, None);
            } else if is_beside(above) && is_comment(line) && !line.starts_with("#!") && !line.starts_with('*') {
                (at, comment) = (above, Some(above));
            } else if is_beside(above) && line.starts_with([')', ']']) {
                // The arguments of an attribute.
                let start = (0..above).rev().find(|at| is_beside(*at));
                let Some(start) = start.filter(|start| is_attribute(self.body(*start))) else { break };
                (at, first, comment) = (start, start, None);
            } else {
                break;
            }
        }
        let is_apart = |at: usize| at.checked_sub(1).is_some_and(|above| self.lines.is_blank(above));
        comment.filter(|at| is_block && is_apart(*at)).unwrap_or(first)
    }
}

fn is_attribute(line: &str) -> bool {
    let is_list = line.starts_with('[') && line.ends_with(']') && !line.contains(',');
    line.starts_with("#[") || is_list || line.strip_prefix('@').is_some_and(|rest| rest.starts_with(is_word_part))
}

fn is_documentation(line: &str) -> bool {
    (line.starts_with("///") || line.starts_with("---") || line.starts_with("#'")) && !line.starts_with("////")
}
