//! Learns which tokens the needle writes in another way than the file.

use rustc_hash::FxHashMap;

use crate::pair::looks_like;
use crate::tokens::Tokens;

/// Says how the file writes a token of the needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Swap<'t> {
    theirs: &'t str,
    /// Tells whether the token has blanks on both sides: a hyphen there is a dash, elsewhere it is not.
    alone: bool,
    /// Tells, of a mark that the file writes as a typographic one, whether it stands in a comment: what is a
    /// dash there is a minus in the code beside it.
    comment: Option<bool>,
}

/// Holds which tokens the needle writes in another way than the file, and the new text with it.
#[derive(Debug)]
pub(crate) struct Swaps<'t> {
    found: FxHashMap<u32, Swap<'t>>,
    /// Lists the typographic marks that are written for plain ones: the needle has some where the file has
    /// none.
    plain: Vec<&'static str>,
}

/// Lists the typographic marks that are written for plain ones.
const TYPOGRAPHIC: [(&str, &str); 8] = [
    ("\u{2018}", "'"),
    ("\u{2019}", "'"),
    ("\u{201a}", "'"),
    ("\u{201c}", "\""),
    ("\u{201d}", "\""),
    ("\u{201e}", "\""),
    ("\u{2013}", "-"),
    ("\u{2014}", "-"),
];

/// Gives the plain mark for a typographic one.
fn plain(mark: &str) -> Option<&'static str> {
    TYPOGRAPHIC.iter().find(|(typographic, _)| *typographic == mark).map(|(_, plain)| *plain)
}

impl<'t> Swaps<'t> {
    /// Gives the text of a token of the new text, in the file's kind of marks and with its names.
    pub(crate) fn dressed(&self, new: &Tokens<'t>, index: usize) -> &'t str {
        let text = new.get(index);
        let Some(&swap) = self.found.get(&new.items[index].id) else {
            return if self.plain.contains(&text) { plain(text).unwrap_or(text) } else { text };
        };
        // A line with two kinds of quotes needs both.
        let quotes = ["\"", "'", "`"];
        let mixed = quotes.contains(&text) && {
            let line = new.on_line(new.items[index].line as usize);
            line.clone().any(|token| quotes.contains(&new.get(token)) && new.get(token) != text)
        };
        let elsewhere = swap.comment.is_some_and(|comment| comment != in_comment(new, index) || !is_prose(new, index));
        if mixed || elsewhere || swap.alone != new.is_alone(index) { text } else { swap.theirs }
    }
}

/// Tells whether the line of a token begins as comments do.
fn in_comment(tokens: &Tokens<'_>, index: usize) -> bool {
    let first = tokens.on_line(tokens.items[index].line as usize).start;
    match tokens.get(first) {
        "#" | "*" | "<" | ";" | "%" => true,
        "/" => matches!(tokens.at(first + 1), "/" | "*"),
        "-" => tokens.at(first + 1) == "-",
        _ => false,
    }
}

/// Tells whether a mark is no quote, or an apostrophe on a line where all of its kind are.
fn is_prose(tokens: &Tokens<'_>, index: usize) -> bool {
    let mark = tokens.get(index);
    let inside = |at: usize| {
        let glued = |next: usize| tokens.gap(next).is_empty();
        at > 0
            && at + 1 < tokens.len()
            && glued(at)
            && glued(at + 1)
            && tokens.items[at - 1].word
            && tokens.items[at + 1].word
    };
    let mut line = tokens.on_line(tokens.items[index].line as usize);
    !matches!(mark, "\"" | "'" | "`") || line.all(|at| tokens.get(at) != mark || inside(at))
}

/// Finds tokens that the needle writes consistently in another way than the file: kinds of
/// quotes, letter case, a misremembered name. New text written in the same breath has them too.
pub(crate) fn swaps<'t>(
    needle: &Tokens<'_>,
    file: &Tokens<'t>,
    in_file: &[Option<usize>],
    new: &str,
    known: impl Fn(&str) -> bool,
) -> Swaps<'t> {
    let mut found: FxHashMap<u32, Option<Swap<'t>>> = FxHashMap::default();
    // Names are learnt from lines that are mostly as they are in the file.
    let is_copied = |line: usize| {
        let tokens = needle.on_line(line);
        let same =
            |&index: &usize| in_file[index].is_some_and(|partner| file.items[partner].id == needle.items[index].id);
        2 * tokens.clone().filter(same).count() >= tokens.len()
    };
    for (index, partner) in in_file.iter().enumerate() {
        let Some(partner) = *partner else { continue };
        let (a, b) = (needle.items[index], file.items[partner]);
        let ours = needle.get(index);
        let misremembered = || a.word && b.word && looks_like(ours, file.get(partner)) && is_copied(a.line as usize);
        let alike = a.fold == b.fold || misremembered();
        let theirs = if ours.starts_with('\\') { escaped(file, partner) } else { file.get(partner) };
        let typographic = plain(theirs).is_some() && plain(ours).is_none();
        if typographic && !is_prose(needle, index) {
            found.insert(a.id, None);
            continue;
        }
        let comment = typographic.then(|| in_comment(needle, index));
        let swap = Swap { theirs, alone: needle.is_alone(index), comment };
        found
            .entry(a.id)
            .and_modify(|target| {
                if *target != Some(swap) {
                    *target = None;
                }
            })
            .or_insert((ours != theirs && alike).then_some(swap));
    }
    let texts: FxHashMap<u32, usize> =
        needle.items.iter().enumerate().map(|(index, token)| (token.id, index)).collect();
    let found: FxHashMap<u32, Swap<'t>> = found
        .into_iter()
        .filter_map(|(id, target)| {
            let text = needle.get(texts[&id]);
            let target = target?;
            let word = needle.items[texts[&id]].word;
            (!word || !known(text)).then_some((id, target))
        })
        .collect();
    // What was done to some marks of the needle was done to all of the new text's.
    let spoilt = found.iter().any(|(id, swap)| plain(needle.get(texts[id])) == Some(swap.theirs));
    let marks = TYPOGRAPHIC.iter().map(|(mark, _)| *mark);
    let plain = marks.filter(|mark| spoilt && new.contains(mark) && !known(mark)).collect();
    Swaps { found, plain }
}

/// Gives a token with the escaped backslash right before it: `\\d` is how a file may write what the
/// needle has as `\d`.
fn escaped<'t>(file: &Tokens<'t>, index: usize) -> &'t str {
    let (token, text) = (file.items[index], file.get(index));
    match index.checked_sub(1) {
        Some(before) if file.get(before) == "\\\\" && file.items[before].end == token.start => {
            &file.text[file.items[before].start as usize..token.end as usize]
        }
        _ => text,
    }
}
