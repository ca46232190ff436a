//! Learns which tokens the needle writes in another way than the file.

use rustc_hash::FxHashMap;

use crate::pair::looks_like;
use crate::tokens::Tokens;

/// Finds tokens that the needle writes consistently in another way than the file: kinds of
/// quotes, letter case, a misremembered name. New text written in the same breath has them too.
pub(crate) fn swaps(
    needle: &Tokens<'_>,
    file: &Tokens<'_>,
    in_file: &[Option<usize>],
    known: impl Fn(&str) -> bool,
) -> FxHashMap<u32, usize> {
    let mut found: FxHashMap<u32, Option<usize>> = FxHashMap::default();
    for (index, partner) in in_file.iter().enumerate() {
        let Some(partner) = *partner else { continue };
        let (a, b) = (needle.items[index], file.items[partner]);
        let alike = a.fold == b.fold || (a.word && b.word && looks_like(needle.get(index), file.get(partner)));
        found
            .entry(a.id)
            .and_modify(|target| {
                if target.is_none_or(|old| file.items[old].id != b.id) {
                    *target = None;
                }
            })
            .or_insert((a.id != b.id && alike).then_some(partner));
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
