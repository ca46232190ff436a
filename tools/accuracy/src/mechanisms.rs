//! Measures what each mechanism of the ladder `adaptive` is for: slips that it undoes, and ways to choose a place and to
//! merge.

use std::collections::BTreeMap;

use anyhow::Result;
use fuzzy_adaptive::mechanisms;
use fuzzy_merge::Mechanism;
use fuzzy_pipeline::Pipeline;
use fuzzy_testkit::verdict::Verdict;
use fuzzy_tools::table::Table;
use rayon::prelude::*;

use crate::cases::{Case, Set};
use crate::engine::{ADAPTIVE, output, pipeline, without};

/// The beginnings of the names of sets with edits of real agents.
const REAL: [&str; 3] = ["real", "reports", "exact2"];

/// The edits that are right only with a mechanism, and those that are WRONG only with it.
type Effect = [usize; 2];

/// A kind of set; each has its own counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Labelled,
    Real,
    Generated,
}

impl Kind {
    /// Returns the kind of a set of edits.
    fn of(set: &Set) -> Self {
        match set.edits.first() {
            Some(case) if case.is_generated => Self::Generated,
            _ if REAL.iter().any(|real| set.name.starts_with(real)) => Self::Real,
            _ => Self::Labelled,
        }
    }
}

/// The effects of the mechanisms on the sets of each kind.
#[derive(Debug, Default)]
struct Effects(BTreeMap<&'static str, [Effect; 3]>);

/// The whole engine, and one without each mechanism.
struct Engines {
    whole: Pipeline,
    without: Vec<(&'static str, Pipeline)>,
}

impl Engines {
    fn new() -> Result<Self> {
        let without = mechanisms().map(|Mechanism { name, .. }| Ok((*name, without(&[name])?)));
        Ok(Self { whole: pipeline(ADAPTIVE)?, without: without.collect::<Result<_>>()? })
    }

    /// Decides every edit of a set with and without each mechanism, and adds the differences to `effects`.
    fn measure(&self, set: &Set, effects: &mut Effects) {
        let kind = Kind::of(set) as usize;
        let found: Vec<_> = set.edits.par_iter().flat_map_iter(|case| self.effects(case)).collect();
        for (name, effect) in found {
            let sums = &mut effects.0.entry(name).or_default()[kind];
            *sums = std::array::from_fn(|at| sums[at] + effect[at]);
        }
    }

    /// Returns the mechanisms that change the verdict of an edit, with their effects.
    fn effects(&self, case: &Case) -> impl Iterator<Item = (&'static str, Effect)> {
        let verdict = |pipeline: &Pipeline| case.verdict(output(&case.ask(pipeline)));
        let whole = verdict(&self.whole);
        self.without.iter().filter_map(move |(name, pipeline)| {
            let without = verdict(pipeline);
            let is_only = |wanted| usize::from(whole == Some(wanted) && without != Some(wanted));
            (whole != without).then(|| (*name, [is_only(Verdict::Right), is_only(Verdict::Wrong)]))
        })
    }
}

/// Measures all sets, and returns the table.
pub(crate) fn measured<'s>(sets: impl Iterator<Item = &'s Set>) -> Result<String> {
    let (engines, mut effects) = (Engines::new()?, Effects::default());
    for set in sets {
        engines.measure(set, &mut effects);
        eprintln!("{} measured", set.name);
    }
    Ok(table(&effects))
}

/// Formats a row for each mechanism.
fn table(effects: &Effects) -> String {
    let mut table =
        Table::new(4, &["mechanism", "phase", "slip, or purpose", "cases", "right only with it", "makes WRONG"]);
    for mechanism in mechanisms() {
        let sums = effects.0.get(mechanism.name).copied().unwrap_or_default();
        let figures = [0, 1].map(|at| sums.map(|sum| sum[at].to_string()).join(" / "));
        table.row(words(mechanism).into_iter().chain(figures).collect());
    }
    table.render()
}

/// Returns the cells of a mechanism that no measurement changes: its name, its phase, what it does, its cases.
fn words(mechanism: &Mechanism) -> [String; 4] {
    let Mechanism { name, phase, what } = mechanism;
    let cases = if phase.undoes_slips() { format!("[cases](../tests/slips/{name})") } else { String::new() };
    [format!("`{name}`"), format!("{phase:?}").to_lowercase(), (*what).to_owned(), cases]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_adaptive::mechanisms;
    use fuzzy_tools::run::root;

    use super::{Effects, Engines, table, words};
    use crate::cases::{Case, Set};
    use crate::rules::MECHANISMS;

    #[test]
    fn the_document_lists_every_mechanism_and_no_other() {
        let text = fs::read_to_string(root().join(MECHANISMS)).unwrap();
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        let listed: Vec<Vec<&str>> =
            rows.map(|row| row.trim_matches('|').split('|').map(str::trim).take(4).collect()).collect();
        assert_eq!(listed, mechanisms().map(words).collect::<Vec<_>>(), "run `cargo xtask rules --mechanisms --write`");
    }

    #[test]
    fn the_guide_lists_every_slip_with_its_file() {
        let text = fs::read_to_string(root().join("docs/merge.md")).unwrap();
        for slip in mechanisms().filter(|mechanism| mechanism.phase.undoes_slips()) {
            let name = format!("`{}`", slip.name);
            let mut rows = text.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
            let row = rows.find(|row| row.len() == 5 && row[1].split(", ").any(|slip| slip == name));
            let row = row.unwrap_or_else(|| panic!("no row of {name}"));
            assert_eq!(row[2], format!("{:?}", slip.phase).to_lowercase(), "{name}");
            assert!(root().join("crates/engine").join(row[3].trim_matches('`')).is_file(), "{name}");
        }
    }

    #[test]
    fn an_edit_counts_for_the_mechanism_that_it_needs() {
        let case = Case {
            content: "open();\nwork(now);\nclose();\n".to_owned(),
            old: "7\twork(now);\n8\tclose();".to_owned(),
            new: "7\twork(later);\n8\tclose();".to_owned(),
            expected: Some("open();\nwork(later);\nclose();\n".to_owned()),
            ..Case::default()
        };
        let mut effects = Effects::default();
        let set = Set { name: "real-dev".to_owned(), edits: vec![case], ..Set::default() };
        Engines::new().unwrap().measure(&set, &mut effects);
        assert_eq!(effects.0.into_iter().collect::<Vec<_>>(), [("line-numbers", [[0, 0], [1, 0], [0, 0]])]);
        assert!(table(&Effects::default()).contains("| `line-numbers`"));
    }
}
