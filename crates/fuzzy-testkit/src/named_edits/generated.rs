//! Edits that name blocks of generated files, with slips in their quotes.

use fastrand::Rng;

use super::{Block, Named, Place, blocks, slipped};
use crate::slipped_edits;

/// The fewest lines of a block, and the most.
const LINES: (usize, usize) = (2, 40);

/// Makes edits of blocks of generated files, each with a slip in a quote, and their kinds. The same seed makes the same
/// edits. A slip after which the first quote is exactly another line is left out.
pub fn cases(seed: u64) -> impl Iterator<Item = (&'static str, Named)> {
    let mut rng = Rng::with_seed(seed);
    slipped_edits::cases(seed).filter_map(move |case| {
        let content = case.content.replace("\r\n", "\n");
        let blocks = blocks(&content, LINES.0, LINES.1);
        let block = *blocks.get(rng.usize(..blocks.len().max(1)))?;
        let edit = named(&content, block, &mut rng);
        let (kind, slipped) = slipped(&edit, &mut rng)?;
        (slipped.place.quoted() == edit.place.quoted() || !slipped.is_exact()).then_some((kind, slipped))
    })
}

/// Makes an edit that replaces a block, or inserts lines beside its first line.
fn named(content: &str, block: Block, rng: &mut Rng) -> Named {
    let lines: Vec<&str> = content.lines().collect();
    let (first, last) = (lines[block.start], lines[block.end - 1]);
    let lead = &first[..first.len() - first.trim_start().len()];
    let new = format!("{lead}started()\n{lead}    inside()\n{lead}ended()");
    let (place, replaced) = match rng.usize(..4) {
        0 => (Place::After(first.to_owned()), block.start + 1..block.start + 1),
        1 => (Place::Before(first.to_owned()), block.start..block.start),
        _ => (Place::Range { first: first.to_owned(), last: last.to_owned() }, block.start..block.end),
    };
    let expected = [&lines[..replaced.start], &[new.as_str()], &lines[replaced.end..]].concat().join("\n");
    let expected = if content.ends_with('\n') { expected + "\n" } else { expected };
    Named { content: content.to_owned(), place, new, expected }
}
