//! Finds the best ascending pairs of two sequences. A run of unpaired items costs once, and a little for each item.
//!
//! Time and space: O(n·m), three values and a byte a cell.

/// The cost of a run of unpaired tokens, in the unit of scores: less than the score of any pair that is evidence.
const GAP_OPEN: f32 = 0.35;

/// The cost of each token of such a run: little, because a long run is hardly less likely than a short one.
const GAP_MORE: f32 = 0.04;

/// The last step of the best way to a cell.
const PAIR: u8 = 0;
const LONE_ROW: u8 = 1;
const LONE_COLUMN: u8 = 2;

/// The values of the best ways to a cell, by their last step.
#[derive(Clone, Copy)]
struct Cell {
    pair: f32,
    row: f32,
    column: f32,
}

impl Cell {
    const NEVER: Self = Self { pair: f32::NEG_INFINITY, row: f32::NEG_INFINITY, column: f32::NEG_INFINITY };

    fn best(self) -> (f32, u8) {
        if self.pair >= self.row && self.pair >= self.column {
            (self.pair, PAIR)
        } else if self.row >= self.column {
            (self.row, LONE_ROW)
        } else {
            (self.column, LONE_COLUMN)
        }
    }

    /// Returns the best way that leaves one more row unpaired.
    fn more_row(self) -> (f32, u8) {
        let open = GAP_OPEN + GAP_MORE;
        Self { pair: self.pair - open, row: self.row - GAP_MORE, column: self.column - open }.best()
    }

    /// Returns the best way that leaves one more column unpaired.
    fn more_column(self) -> (f32, u8) {
        let open = GAP_OPEN + GAP_MORE;
        Self { pair: self.pair - open, row: self.row - open, column: self.column - GAP_MORE }.best()
    }
}

/// Pairs rows with columns for the highest scores less costs. A `score` of negative infinity forbids a pair.
pub(crate) fn best(rows: usize, columns: usize, score: impl Fn(usize, usize) -> f32) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let mut line = vec![Cell::NEVER; width];
    // Each byte has the step before each of the three ways to a cell: pair, row, column, two bits each.
    let mut trace = vec![0u8; (rows + 1) * width];
    line[0].pair = 0.0;
    for column in 1..width {
        let (value, from) = line[column - 1].more_column();
        line[column].column = value;
        trace[column] = from << 4;
    }
    for row in 1..=rows {
        let mut diagonal = line[0];
        let (value, from) = line[0].more_row();
        line[0] = Cell { row: value, ..Cell::NEVER };
        trace[row * width] = from << 2;
        for column in 1..width {
            let (before, pair_from) = diagonal.best();
            let (row_value, row_from) = line[column].more_row();
            let (column_value, column_from) = line[column - 1].more_column();
            diagonal = line[column];
            let pair = before + score(row - 1, column - 1);
            line[column] = Cell { pair, row: row_value, column: column_value };
            trace[row * width + column] = pair_from | row_from << 2 | column_from << 4;
        }
    }
    walk(&trace, width, line[columns].best().1)
}

/// Follows the best way back from the last cell, whose last step is `state`.
fn walk(trace: &[u8], width: usize, mut state: u8) -> Vec<(usize, usize)> {
    let (mut row, mut column) = (trace.len() / width - 1, width - 1);
    let mut pairs = Vec::new();
    while row > 0 || column > 0 {
        let cell = trace[row * width + column];
        match state {
            PAIR if row > 0 && column > 0 => {
                row -= 1;
                column -= 1;
                pairs.push((row, column));
                state = cell & 3;
            }
            LONE_ROW if row > 0 => {
                row -= 1;
                state = cell >> 2 & 3;
            }
            LONE_COLUMN if column > 0 => {
                column -= 1;
                state = cell >> 4 & 3;
            }
            _ => break,
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn pairs_common_items_in_few_runs() {
        let cases = [
            ("abc", "abc", vec![(0, 0), (1, 1), (2, 2)]),
            ("ac", "abc", vec![(0, 0), (1, 2)]),
            ("abc", "ac", vec![(0, 0), (2, 1)]),
            // Two gaps cost more than one.
            ("xy", "xaxy", vec![(0, 2), (1, 3)]),
            ("", "ab", vec![]),
            ("ab", "", vec![]),
            ("ab", "cd", vec![]),
        ];
        for (left, right, expected) in cases {
            let (a, b) = (left.as_bytes(), right.as_bytes());
            let pairs = best(a.len(), b.len(), |x, y| if a[x] == b[y] { 1.0 } else { f32::NEG_INFINITY });
            assert_eq!(pairs, expected, "{left} {right}");
        }
    }
}
