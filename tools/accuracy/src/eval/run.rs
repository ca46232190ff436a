//! The results of one ladder on one file of cases.

use crate::cases::CaseFile;
use crate::eval::judge::Outcome;
use crate::eval::tally::Tally;
use crate::without::LADDER;

/// The ladder with detailed reports and targets.
pub(crate) const DETAILED: &str = LADDER;

/// One ladder's outcomes on one file of cases.
pub(crate) struct Run<'f> {
    pub(crate) file: &'f CaseFile,
    pub(crate) ladder: String,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) tally: Tally,
}

impl<'f> Run<'f> {
    pub(crate) fn new(file: &'f CaseFile, ladder: &str, outcomes: Vec<Outcome>) -> Self {
        let tally = Tally::new(&file.cases, &outcomes);
        Self { file, ladder: ladder.to_owned(), outcomes, tally }
    }
}
