//! Finds the differing words of a changed line.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// In longer lines, differing words are not marked: they would be hard to see anyway.
const LINE_BYTES: usize = 600;

/// Returns the differing parts of an old and a new line, in bytes; `None` if too little is equal for marks to help.
pub(super) fn differing(old: &str, new: &str) -> Option<[Vec<Range<usize>>; 2]> {
    if old.len().max(new.len()) > LINE_BYTES {
        return None;
    }
    let (olds, news) = (words(old), words(new));
    let (mut deleted, mut inserted, mut same) = (Vec::new(), Vec::new(), 0);
    for op in capture_diff_slices(Algorithm::Myers, &olds, &news) {
        if let DiffOp::Equal { old_index, len, .. } = op {
            same += olds[old_index..old_index + len].iter().map(|word| word.trim().len()).sum::<usize>();
            continue;
        }
        push(&mut deleted, bytes(&olds, op.old_range()));
        push(&mut inserted, bytes(&news, op.new_range()));
    }
    let longest = old.trim().len().max(new.trim().len());
    (same * 3 >= longest && same > 0).then_some([deleted, inserted])
}

/// Adds a part, or extends the last one if both touch.
fn push(parts: &mut Vec<Range<usize>>, part: Range<usize>) {
    match parts.last_mut() {
        _ if part.is_empty() => {}
        Some(last) if last.end == part.start => last.end = part.end,
        _ => parts.push(part),
    }
}

/// Splits a line into words, runs of blanks, and single signs.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = match kind(first) {
            0 => first.len_utf8(),
            run => rest.find(|c| kind(c) != run).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}

/// Returns 1 for a character of a word, 2 for a blank, and 0 for any other sign.
fn kind(c: char) -> u8 {
    if c.is_alphanumeric() || c == '_' { 1 } else { 2 * u8::from(c.is_whitespace()) }
}

fn bytes(words: &[&str], range: Range<usize>) -> Range<usize> {
    let start = length(&words[..range.start]);
    start..start + length(&words[range])
}

/// Returns the total length of the words in bytes.
fn length(words: &[&str]) -> usize {
    words.iter().map(|word| word.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::differing;

    fn marked(old: &str, new: &str) -> Option<[Vec<String>; 2]> {
        let [deleted, inserted] = differing(old, new)?;
        let sides = [(old, deleted), (new, inserted)];
        Some(sides.map(|(line, parts)| parts.into_iter().map(|part| line[part].to_owned()).collect()))
    }

    #[test]
    fn words_that_differ_are_marked() {
        for (old, new, deleted, inserted) in [
            ("total = 0", "total = 12", &["0"][..], &["12"][..]),
            ("    let a = b;", "    let a = b + é;", &[], &[" + é"]),
            ("f(old_name, x, y)", "f(new_name, x, y)", &["old_name"], &["new_name"]),
            ("same", "same", &[], &[]),
        ] {
            assert_eq!(marked(old, new).expect("much is the same"), [deleted, inserted], "{old} {new}");
        }
    }

    #[test]
    fn lines_with_little_in_common_are_not_marked() {
        assert_eq!(marked("return total", "raise ValueError('no')"), None);
        assert_eq!(marked("", "x"), None);
        let long = "word ".repeat(200);
        assert_eq!(marked(&long, &format!("{long}x")), None);
    }
}
