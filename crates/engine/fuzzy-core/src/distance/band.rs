//! The active part of the edit matrix: the blocks that can still hold a cell within the limit.
//!
//! Ukkonen's cut-off ("Finding approximate patterns in strings", 1985) by blocks and strips. Cells
//! outside the band are all above the limit. What the band assumes of them is never below their
//! true value, and a cell within the limit owes its value to a path of such cells only, so every
//! cell within the limit is exact.

use super::kernel::{Column, STRIP, Steps, advance};
use super::pattern::Pattern;

/// The active blocks of one pattern against `L` texts that advance together.
#[derive(Debug)]
pub(super) struct Band<'p, const L: usize> {
    pattern: &'p Pattern,
    limit: i64,
    /// The columns of blocks `0..=last`; those before `first` are dead.
    columns: Vec<Column<L>>,
    first: usize,
    /// Value of the cell above block `first`, kept by the rising boundary only.
    top: i64,
    /// Value of the last row of the last active block, for each lane.
    bottom: [i64; L],
    /// The same before the strip that was last advanced.
    before: [i64; L],
    /// Differences in that block's rows over that strip.
    steps: Steps<L>,
}

impl<'p, const L: usize> Band<'p, L> {
    /// The band before the first character. The pattern is not empty.
    pub(super) fn new(pattern: &'p Pattern, limit: usize) -> Self {
        let bottom = [signed(pattern.rows(0)); L];
        Self {
            pattern,
            limit: signed(limit),
            columns: vec![Column::START],
            first: 0,
            top: 0,
            bottom,
            before: bottom,
            steps: Steps::LEVEL,
        }
    }

    /// Advances all lanes by one strip, with `above` as the differences over the first block.
    pub(super) fn advance(&mut self, classes: &[&[u32; STRIP]; L], above: &Steps<L>) {
        self.fit_bottom();
        self.steps.clone_from(above);
        for (block, column) in self.columns.iter_mut().enumerate().skip(self.first) {
            advance(self.pattern.masks(block), classes, column, &mut self.steps);
        }
        self.before = self.bottom;
        let change = self.steps.change(self.last_bit(), STRIP);
        for (bottom, change) in self.bottom.iter_mut().zip(change) {
            *bottom += change;
        }
        self.top += signed(STRIP);
    }

    /// The distance after the first `columns` columns of the strip that was last advanced, if it
    /// is within the limit.
    pub(super) fn distance(&self, lane: usize, columns: usize) -> Option<usize> {
        let before = self.before[lane];
        if self.columns.len() < self.pattern.blocks() || before - signed(columns) > self.limit {
            return None;
        }
        let distance = before + self.steps.change(self.last_bit(), columns)[lane];
        usize::try_from(distance).ok().filter(|_| distance <= self.limit)
    }

    /// Bit of the last row in the last active block.
    fn last_bit(&self) -> usize {
        self.pattern.rows(self.columns.len() - 1) - 1
    }

    /// Adds the blocks that the next strip can reach and drops those it cannot.
    fn fit_bottom(&mut self) {
        // A value falls by at most one per column, so a row above this stays above the limit
        // throughout the strip, and nothing below it is reached through it.
        let reached = self.limit + signed(STRIP);
        loop {
            let last = self.columns.len() - 1;
            if last + 1 < self.pattern.blocks() && self.bottom.iter().any(|&it| it <= reached) {
                self.columns.push(Column::START);
                for bottom in &mut self.bottom {
                    *bottom += signed(self.pattern.rows(last + 1));
                }
            } else {
                break;
            }
        }
        while self.columns.len() > self.first + 1 && self.bottom.iter().all(|&it| it > self.limit) {
            let last = self.columns.len() - 1;
            let rows = self.pattern.rows(last);
            let above: [i64; L] = std::array::from_fn(|lane| self.bottom[lane] - self.columns[last].rise(lane, rows));
            let dead = (0..L).all(|lane| above[lane] > reached && self.exceeded(above[lane], self.bottom[lane], rows));
            if !dead {
                break;
            }
            self.columns.pop();
            self.bottom = above;
        }
    }

    /// Whether all of the rows between two values exceed the limit: the least they can be is a
    /// straight fall from one and rise to the other.
    fn exceeded(&self, above: i64, below: i64, rows: usize) -> bool {
        above + below - signed(rows) > 2 * self.limit
    }
}

impl Band<'_, 1> {
    /// Drops the blocks at the top that exceed the limit for good; false when none is left.
    ///
    /// Only for a boundary that rises: cells under a level one can always become small again.
    pub(super) fn narrow_top(&mut self) -> bool {
        while self.first < self.columns.len() && self.top > self.limit {
            let rows = self.pattern.rows(self.first);
            let below = self.top + self.columns[self.first].rise(0, rows);
            if !self.exceeded(self.top, below, rows) {
                break;
            }
            self.top = below;
            self.first += 1;
        }
        self.first < self.columns.len()
    }
}

/// Lengths of texts in memory fit: none exceeds `isize::MAX` bytes.
fn signed(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX / 4)
}
