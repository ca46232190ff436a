//! Reads texts without a run of quotes at an end of both: it delimited them for the author's tool.

/// Leaves out the quotes, two or more of a kind, with which both texts begin or end, if the document lacks them.
pub(super) fn read(document: &str, old: &str, new: &str) -> Option<[String; 2]> {
    let head = quotes(old.chars(), new.chars(), document);
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = quotes(old_rest.chars().rev(), new_rest.chars().rev(), if head > 0 { "" } else { document });
    let inner = |text: &str| text[..text.len() - tail].to_owned();
    (head + tail > 0).then(|| [inner(old_rest), inner(new_rest)])
}

/// Returns the number of equal quotes with which both texts begin, if there are two or more and the document lacks them.
fn quotes(old: impl Iterator<Item = char>, new: impl Iterator<Item = char>, document: &str) -> usize {
    let mut both = old.zip(new).take_while(|(old, new)| old == new).map(|(mark, _)| mark).peekable();
    let Some(quote @ ('"' | '\'' | '`')) = both.peek().copied() else { return 0 };
    let count = both.take_while(|mark| *mark == quote).count();
    let is_known = document.contains(&String::from(quote).repeat(count));
    if count < 2 || is_known { 0 } else { count }
}
