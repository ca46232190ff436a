//! Learns which tokens the needle writes in another way than the file.

use rustc_hash::FxHashMap;

use crate::pair::looks_like;
use crate::tokens::Tokens;

/// Says how the file writes a token of the needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swap<'t> {
    pub(crate) theirs: &'t str,
    /// Tells whether the token has blanks on both sides: a hyphen there is a dash, elsewhere it is not.
    pub(crate) alone: bool,
}

/// Finds tokens that the needle writes consistently in another way than the file: kinds of
/// quotes, letter case, a misremembered name. New text written in the same breath has them too.
pub(crate) fn swaps<'t>(
    needle: &Tokens<'_>,
    file: &Tokens<'t>,
    in_file: &[Option<usize>],
    known: impl Fn(&str) -> bool,
) -> FxHashMap<u32, Swap<'t>> {
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
        let swap = Swap { theirs, alone: needle.is_alone(index) };
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
    found
        .into_iter()
        .filter_map(|(id, target)| {
            let text = needle.get(texts[&id]);
            let target = target?;
            let word = needle.items[texts[&id]].word;
            (!word || !known(text)).then_some((id, target))
        })
        .collect()
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
