//! Two texts side by side, for a page.

use fuzzy_report::{common_start, excerpt, visible_blanks};
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

/// The most lines of a text to compare; a page shows the first differences.
const COMPARED: usize = 2_000;

/// The most rows to show.
const ROWS: usize = 40;

/// The most characters of a line.
const WIDTH: usize = 140;

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// Two lines side by side; a side that has no such line is empty.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) left: Option<String>,
    pub(super) right: Option<String>,
    pub(super) differs: bool,
}

/// Compares two texts line by line, and returns the rows around their differences, or all rows with `whole`. The last
/// row of a longer comparison is `None`.
///
/// Lines are paired by their text without blanks; blanks in which a pair differs are visible.
pub(super) fn side_by_side(left: &str, right: &str, whole: bool) -> Vec<Option<Row>> {
    // The first difference of two long texts is shown, wherever it is.
    let common =
        if whole { 0 } else { left.lines().zip(right.lines()).take_while(|(left, right)| left == right).count() };
    let from = common.saturating_sub(CONTEXT);
    let [lefts, rights] = [left, right].map(|text| text.lines().skip(from).take(COMPARED).collect::<Vec<_>>());
    let [left_keys, right_keys] = [&lefts, &rights]
        .map(|lines| lines.iter().map(|line| line.split_whitespace().collect()).collect::<Vec<String>>());
    let ops = capture_diff_slices(Algorithm::Myers, &left_keys, &right_keys);
    let mut rows = Vec::new();
    let groups = if whole { vec![ops] } else { around(ops, &lefts, &rights) };
    for op in groups.iter().flatten() {
        let (left, right) = (&lefts[op.old_range()], &rights[op.new_range()]);
        for at in 0..left.len().max(right.len()) {
            if rows.len() == ROWS {
                rows.push(None);
                return rows;
            }
            rows.push(Some(row(left.get(at).copied(), right.get(at).copied())));
        }
    }
    rows
}

/// Returns the parts around differences. Lines that differ only in blanks differ, too.
fn around(ops: Vec<DiffOp>, lefts: &[&str], rights: &[&str]) -> Vec<Vec<DiffOp>> {
    if ops.iter().any(|op| !matches!(op, DiffOp::Equal { .. })) {
        return group_diff_ops(ops, CONTEXT);
    }
    group_diff_ops(capture_diff_slices(Algorithm::Myers, lefts, rights), CONTEXT)
}

fn row(left: Option<&str>, right: Option<&str>) -> Row {
    let differs = left != right;
    let (left, right) = match (left, right) {
        (Some(left), Some(right)) => {
            let from = common_start(left, right);
            let (left, right) = visible_blanks(left, right);
            (Some(excerpt(&left, from, WIDTH)), Some(excerpt(&right, from, WIDTH)))
        }
        // Control characters are replaced by their symbols.
        (left, right) => {
            let shown = |line: &str| excerpt(&visible_blanks(line, line).0, 0, WIDTH);
            (left.map(shown), right.map(shown))
        }
    };
    Row { left, right, differs }
}

#[cfg(test)]
mod tests {
    use super::{ROWS, side_by_side};

    /// Formats rows as `left|right`, with a mark for a difference.
    fn shown(left: &str, right: &str, whole: bool) -> Vec<String> {
        let rows = side_by_side(left, right, whole).into_iter().map(|row| {
            let Some(row) = row else { return "…".to_owned() };
            let side = |side: Option<String>| side.unwrap_or_else(|| "-".to_owned());
            format!("{}|{}{}", side(row.left), side(row.right), if row.differs { " !" } else { "" })
        });
        rows.collect()
    }

    #[test]
    fn lines_are_paired_and_differing_blanks_are_visible() {
        assert_eq!(shown("  a\nb\n", "\ta\nc\nb\n", true), ["··a|→a !", "-|c !", "b|b"]);
        assert_eq!(shown("a \u{1b}[2J\n", "", true), ["a ␛[2J|- !"]);
    }

    #[test]
    fn only_the_surroundings_of_a_difference_are_shown() {
        let text = (0..50).fold(String::new(), |text, line| text + &line.to_string() + "\n");
        assert_eq!(shown(&text, &text.replace("25\n", "x\n"), false), ["23|23", "24|24", "25|x !", "26|26", "27|27"]);
        assert_eq!(shown(&text, &text.replace("25\n", " 25\n"), false).len(), 5);
        let long = "same\n".repeat(5_000);
        assert_eq!(shown(&format!("{long}a\n"), &format!("{long}b\n"), false), ["same|same", "same|same", "a|b !"]);
        let rows = shown(&text, "", true);
        assert_eq!((rows.len(), rows.last().map(String::as_str)), (ROWS + 1, Some("…")));
    }
}
