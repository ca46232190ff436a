//! One strip of the edit matrix: one block of 64 pattern rows by [`STRIP`] text columns.
//!
//! Cells of the matrix differ from their neighbours by at most one, so a block's column is two
//! words: the rows where the next cell is one more, and those where it is one less. Myers (1999,
//! "A fast bit-vector algorithm for approximate string matching") advances both by one column in
//! a dozen instructions; Hyyrö (2003, "A bit-vector algorithm for computing Levenshtein and
//! Damerau edit distances") gives the form with horizontal carries between blocks used here.
//!
//! Blocks are the outer loop and columns the inner one: a block's two words stay in registers for
//! the whole strip, and its slice of the mask table (8 bytes per distinct character) in the
//! nearest cache. `L` independent texts advance side by side, which the compiler turns into
//! vector instructions.

/// Columns per strip. The active rows are reconsidered between strips: a longer strip spends
/// less on that and more on rows that could have been left out. Measured best of 8, 16, 32, 64.
pub(super) const STRIP: usize = 16;

/// One column of a block for each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<const L: usize> {
    /// Clear where the cell is one more than the cell above. The complement of the usual vector:
    /// it saves two instructions per step where and-not is one instruction.
    pub(super) not_up: [u64; L],
    /// Set where the cell is one less than the cell above.
    pub(super) down: [u64; L],
}

impl<const L: usize> Column<L> {
    /// The column before the first character: every cell is one more than the cell above.
    pub(super) const START: Self = Self { not_up: [0; L], down: [0; L] };

    /// How much the last of the block's first `rows` cells is above the cell over the block.
    pub(super) fn rise(&self, lane: usize, rows: usize) -> i64 {
        let mask = u64::MAX >> (64 - rows);
        let up = (!self.not_up[lane] & mask).count_ones();
        let down = (self.down[lane] & mask).count_ones();
        i64::from(up) - i64::from(down)
    }
}

/// Horizontal differences of a strip: for each column a word per lane whose bit `r` says that the
/// cell in row `r` of the block is one more (`up`) or one less (`down`) than the cell to its left.
/// The next block down reads only bit 63.
#[derive(Clone, Debug)]
pub(super) struct Steps<const L: usize> {
    pub(super) up: [[u64; L]; STRIP],
    pub(super) down: [[u64; L]; STRIP],
}

impl<const L: usize> Steps<L> {
    /// A boundary whose cells stay equal: the match may start anywhere in the text.
    pub(super) const LEVEL: Self = Self { up: [[0; L]; STRIP], down: [[0; L]; STRIP] };

    /// A boundary whose cells grow by one per column: the match starts where the text does.
    pub(super) const RISING: Self = Self { up: [[u64::MAX; L]; STRIP], down: [[0; L]; STRIP] };

    /// Change of the cells in row `bit` over the first `columns` columns.
    pub(super) fn change(&self, bit: usize, columns: usize) -> [i64; L] {
        let mut change = [0_u64; L];
        for (up, down) in self.up.iter().zip(&self.down).take(columns) {
            for lane in 0..L {
                let up = up[lane] >> bit & 1;
                let down = down[lane] >> bit & 1;
                change[lane] = change[lane].wrapping_add(up).wrapping_sub(down);
            }
        }
        change.map(u64::cast_signed)
    }
}

/// Advances one block by one strip: `steps` enters with the differences over the block and leaves
/// with those of the block's rows.
#[inline]
pub(super) fn advance<const L: usize>(
    masks: &[u64],
    classes: &[&[u32; STRIP]; L],
    column: &mut Column<L>,
    steps: &mut Steps<L>,
) {
    let mut not_up = column.not_up;
    let mut down = column.down;
    for at in 0..STRIP {
        let mut equal = [0; L];
        for lane in 0..L {
            equal[lane] = masks[classes[lane][at] as usize];
        }
        let above_up = steps.up[at];
        let above_down = steps.down[at];
        let mut row_up = [0; L];
        let mut row_down = [0; L];
        for lane in 0..L {
            let falls = above_down[lane] >> 63;
            let x = equal[lane] | falls;
            let carried = not_up[lane].wrapping_sub(x & !not_up[lane]);
            let same = (carried ^ not_up[lane]) | x | down[lane];
            let ups = down[lane] | (!same & not_up[lane]);
            let downs = same & !not_up[lane];
            row_up[lane] = ups;
            row_down[lane] = downs;
            let ups = ups << 1 | above_up[lane] >> 63;
            let downs = downs << 1 | falls;
            not_up[lane] = !downs & (same | ups);
            down[lane] = ups & same;
        }
        steps.up[at] = row_up;
        steps.down[at] = row_down;
    }
    *column = Column { not_up, down };
}
