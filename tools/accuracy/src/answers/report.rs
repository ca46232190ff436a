//! Prints and counts differences.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::table::Table;
use serde_json::{Value, json};

use crate::answers::compare::Difference;
use crate::answers::sets::Set;

/// The number of differences to print.
const PRINTED: usize = 20;

/// The counts of every set.
pub(crate) struct Report {
    started: Instant,
    table: Table,
    printed: usize,
    cases: usize,
    differing: usize,
    /// The file of all differences, if requested.
    file: Option<BufWriter<File>>,
}

impl Report {
    /// Makes an empty report; the file gets a line of JSON for every difference.
    pub(crate) fn new(file: Option<&Path>) -> Result<Self> {
        let create = |path: &Path| {
            Ok::<_, anyhow::Error>(BufWriter::new(
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
            ))
        };
        Ok(Self {
            started: Instant::now(),
            table: Table::new(1, &["set", "cases", "differing"]),
            printed: 0,
            cases: 0,
            differing: 0,
            file: file.map(create).transpose()?,
        })
    }

    /// Adds the differences of a set, and prints the first ones. A case that differs under two verbs counts once.
    pub(crate) fn add(&mut self, set: &Set, differences: &[Difference]) -> Result<()> {
        for difference in differences {
            let Difference { index, verb, earlier, present } = difference;
            let case = set.cases.json(*index);
            if self.printed < PRINTED {
                println!("{}", render(&set.name, &case, difference));
                self.printed += 1;
            }
            if let Some(file) = &mut self.file {
                let line = json!({"set": set.name, "verb": verb, "case": case, "earlier": earlier, "present": present});
                writeln!(file, "{line}")?;
            }
        }
        let differing = differences.iter().map(|difference| difference.index).collect::<BTreeSet<_>>().len();
        let cases = set.cases.len();
        eprintln!("{}: {differing} of {cases} differ, {:.0} s", set.name, self.started.elapsed().as_secs_f64());
        self.row(&set.name, cases, differing);
        self.cases += cases;
        self.differing += differing;
        Ok(())
    }

    fn row(&mut self, name: &str, cases: usize, differing: usize) {
        self.table.row(vec![name.to_owned(), cases.to_string(), differing.to_string()]);
    }

    /// Prints the table, and fails if any answer differs.
    pub(crate) fn finish(mut self) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.flush()?;
        }
        let (cases, differing) = (self.cases, self.differing);
        self.row("all", cases, differing);
        println!("{}\n{:.0} s", self.table.render(), self.started.elapsed().as_secs_f64());
        ensure!(differing == 0, "the answers to {differing} of {cases} cases differ");
        Ok(())
    }
}

/// Formats a difference: the case, and the fields of both answers that differ. An output is reduced to the lines in
/// which it differs from the file.
fn render(set: &str, case: &Value, difference: &Difference) -> String {
    let [earlier, present] = [&difference.earlier, &difference.present].map(|answer| {
        let mut answer = answer.clone();
        if let Some(output) = answer.get_mut("output") {
            *output = parted(&case["content"], output).1;
        }
        answer
    });
    let (earlier, present) = parted(&earlier, &present);
    let texts =
        ["line", "old", "new", "patch"].map(|name| case.get(name).map(|value| format!("  {name:7}  {value}\n")));
    let texts = texts.into_iter().flatten().collect::<String>();
    let Difference { verb, .. } = difference;
    format!("{set}, case {}, verb {verb}\n{texts}  earlier  {earlier}\n  present  {present}\n", case["id"])
}

/// Returns the differing parts of two values: the fields of objects, the elements of lists of equal length, and of
/// texts the lines between the first and the last difference.
fn parted(earlier: &Value, present: &Value) -> (Value, Value) {
    match (earlier, present) {
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let (mut left, mut right) = (json!({}), json!({}));
            for name in names {
                match (one.get(name), other.get(name)) {
                    (Some(one), Some(other)) if one == other => {}
                    (Some(one), Some(other)) => (left[name], right[name]) = parted(one, other),
                    (one, other) => {
                        for (side, value) in [(&mut left, one), (&mut right, other)] {
                            if let Some(value) = value {
                                side[name] = value.clone();
                            }
                        }
                    }
                }
            }
            (left, right)
        }
        (Value::Array(one), Value::Array(other))
            if one.len() == other.len() && one.iter().chain(other).all(Value::is_object) =>
        {
            let differing = one.iter().zip(other).filter(|(one, other)| one != other);
            let (one, other): (Vec<_>, Vec<_>) = differing.map(|(one, other)| parted(one, other)).unzip();
            (json!(one), json!(other))
        }
        (Value::String(one), Value::String(other)) => {
            let (mut one, mut other): (Vec<&str>, Vec<&str>) =
                (one.split_inclusive('\n').collect(), other.split_inclusive('\n').collect());
            for _ in 0..2 {
                while one.last().is_some_and(|line| other.last() == Some(line)) {
                    one.pop();
                    other.pop();
                }
                one.reverse();
                other.reverse();
            }
            (json!(one.concat()), json!(other.concat()))
        }
        (one, other) => (one.clone(), other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Report, parted};
    use crate::answers::compare::Difference;
    use crate::answers::sets::{Cases, Edit, Set};

    #[test]
    fn only_the_parts_that_differ_are_printed() {
        let (earlier, present) = parted(
            &json!({"ok": true, "output": "a\nb\nc\n", "places": [{"bytes": [0, 2]}, {"bytes": [4, 6]}]}),
            &json!({"ok": true, "output": "a\nx\ny\nc\n", "places": [{"bytes": [0, 2]}, {"bytes": [4, 7]}], "code": "c"}),
        );
        assert_eq!(earlier, json!({"output": "b\n", "places": [{"bytes": [4, 6]}]}));
        assert_eq!(present, json!({"output": "x\ny\n", "places": [{"bytes": [4, 7]}], "code": "c"}));
    }

    #[test]
    fn a_report_with_a_difference_fails() {
        let set = Set { name: "set".to_owned(), cases: Cases::Labelled(vec![Edit::default(), Edit::default()]) };
        let difference =
            |verb| Difference { index: 1, verb, earlier: json!({"ok": true}), present: json!({"ok": false}) };
        let mut report = Report::new(None).unwrap();
        report.add(&set, &[]).unwrap();
        report.finish().unwrap();
        let mut report = Report::new(None).unwrap();
        report.add(&set, &[difference("batch"), difference("locate")]).unwrap();
        assert_eq!(report.finish().unwrap_err().to_string(), "the answers to 1 of 2 cases differ");
    }
}
