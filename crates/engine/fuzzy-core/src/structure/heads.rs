//! The kind of a block by its first line, and the lines that hang on it.

use super::{Outline, brackets, continues, is_comment, is_hash_word};
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

/// The lines of a head, at most.
const MAX_HEAD: usize = 100;

/// Words of statements, which stay in their block. They have blocks as functions and types do.
const STATEMENTS: [&str; 20] = [
    "await", "do", "for", "foreach", "if", "let", "loop", "match", "return", "select", "switch", "throw", "try",
    "unless", "unsafe", "until", "using", "when", "while", "with",
];

/// The kind of a line: siblings have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a feature of its own")]
pub(crate) struct Kind<'t> {
    /// The first word or mark, without modifiers: `def`, `- `, `<li`.
    word: &'t str,
    /// Whether a name is called, or has parameters: methods of classes have nothing else in common.
    pub(super) has_call: bool,
    /// Whether several words are before that: methods of classes have one, functions beside classes have more.
    has_words: bool,
    /// The mark that opens the block.
    pub(super) opening: Option<char>,
    /// Whether it begins with the word of a statement, or assigns something else than a function.
    pub(super) is_statement: bool,
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
        // The word of the default case is that of the others.
        let word = if word == "default" { "case" } else { word };
        let before = &rest[..rest.find(['(', '{', '=']).unwrap_or(rest.len())];
        let is_assigned = rest[before.len()..].starts_with("= ") && !before.contains('<');
        let is_function = is_assigned && (line.ends_with("=> {") || line.contains("= function"));
        let is_statement = !is_function && (is_assigned || STATEMENTS.contains(&word) || continues(line));
        let names = before.split(|c| !is_word_part(c)).filter(|word| !word.is_empty());
        let has_words = names.count() + usize::from(line[..line.len() - rest.len()].contains("const")) > 1;
        let call = rest.find('(').filter(|at| rest[..*at].trim_end().ends_with(|c| is_word_part(c) || c == '>'));
        let key = line.trim_start_matches(['"', '\'']).trim_start_matches(|c| is_word_part(c) || c == '-');
        let is_key = key.trim_start_matches(['"', '\'']).starts_with(':') && !key.starts_with("::");
        let has_call = is_function || (!is_statement && call.is_some());
        Self { word, has_call, has_words, opening: None, is_statement, is_key }
    }

    /// Returns whether both begin with the same word or mark.
    pub(crate) fn has_word_of(&self, other: &Self) -> bool {
        self.word == other.word && !self.word.is_empty()
    }

    /// Returns whether both are of the same form, such as methods.
    pub(crate) fn has_form_of(&self, other: &Self) -> bool {
        let form = |kind: &Self| (kind.has_call, kind.has_words, kind.is_key, kind.opening);
        (self.has_call || self.is_key) && form(self) == form(other)
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
    /// Returns the kind of the statement that begins with a line.
    pub(crate) fn kind(&self, at: usize) -> Kind<'t> {
        let kind = Kind::of(self.body(at));
        match self.name_below(at) {
            Some(name) => Kind { has_call: true, has_words: true, opening: self.opening(name), ..kind },
            None => Kind { opening: self.opening(at), ..kind },
        }
    }

    /// Returns the first line of the head that has its name in a line.
    pub(super) fn first_of_head(&self, at: usize) -> usize {
        at.checked_sub(1).filter(|above| self.name_below(*above) == Some(at)).unwrap_or(at)
    }

    /// Returns the line below that of a type, which has the name of the function: `static int` above `main(void)`.
    fn name_below(&self, at: usize) -> Option<usize> {
        let is_type = |c: char| is_word_part(c) || " *".contains(c);
        let below = Some(at + 1).filter(|below| *below < self.lines.len() && self.is_code(*below))?;
        let is_beside = self.depth(below) == self.depth(at) && self.is_code(at) && self.body(at).chars().all(is_type);
        let kind = || Kind::of(self.body(below));
        (is_beside && kind().has_call && !kind().is_statement && self.opening(below) == Some('{')).then_some(below)
    }

    /// Returns the mark that opens the block of the statement that begins with a line, a blank if only deeper lines show it,
    /// or none: the lines below may be the rest of a statement.
    fn opening(&self, at: usize) -> Option<char> {
        let mut open = 0;
        for line in (at..self.lines.len()).take(MAX_HEAD).filter(|at| self.is_code(*at)) {
            let body = self.body(line);
            let is_open = body.ends_with('{');
            open += brackets(body);
            if line > at && self.depth(line) < self.depth(at) {
                return None;
            }
            if open > isize::from(is_open) {
                continue;
            }
            let mut below = self.below(line + 1);
            if below.is_some_and(|below| is_clause(self.body(below)) && !self.body(below).ends_with('{')) {
                below = (line + 2..self.lines.len())
                    .find(|below| self.is_code(*below) && self.depth(*below) <= self.depth(at));
            }
            let is_deeper = || below.is_some_and(|below| self.depth(below) > self.depth(at));
            return match body.chars().next_back() {
                Some(mark @ ('{' | ':')) => Some(mark),
                _ if below.is_some_and(|below| is_rest(self.body(below))) => Some('{'),
                Some('}') if body.contains('{') => Some('{'),
                Some(',' | '=' | '\\') => None,
                _ if is_deeper() => Some(' '),
                _ => None,
            };
        }
        None
    }

    /// Returns whether a line is an attribute, documentation or a comment.
    pub(crate) fn is_attached(&self, at: usize) -> bool {
        let line = self.body(at);
        line.starts_with([')', ']']) || (is_attached(line) && (self.is_comment(at) || !is_comment(line)))
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
            } else if is_beside(above)
                && is_comment(line)
                && !is_hash_word(line)
                && !line.starts_with("#!")
                && !line.starts_with('*')
            {
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

/// Returns whether a line is an attribute, documentation or a comment.
pub(crate) fn is_attached(line: &str) -> bool {
    is_attribute(line) || is_comment(line) || line.ends_with("*/")
}

/// Returns whether a line is the end of the head above it: a brace, or the bounds of types.
pub(super) fn is_rest(line: &str) -> bool {
    line == "{" || is_clause(line)
}

fn is_clause(line: &str) -> bool {
    line.strip_prefix("where").is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn is_attribute(line: &str) -> bool {
    let is_list = line.starts_with('[') && line.ends_with(']') && !line.contains(',');
    line.starts_with("#[") || is_list || line.strip_prefix('@').is_some_and(|rest| rest.starts_with(is_word_part))
}

fn is_documentation(line: &str) -> bool {
    (line.starts_with("///") || line.starts_with("---") || line.starts_with("#'")) && !line.starts_with("////")
}
