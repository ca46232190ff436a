//! Measures what each rule of the ladder `adaptive` prevents and costs, and what each mechanism is for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use fuzzy_adaptive::{checks, rules};
use fuzzy_merge::{RULES, Rule};
use fuzzy_pipeline::Pipeline;
use fuzzy_testkit::verdict::Verdict;
use fuzzy_tools::table::Table;
use rayon::prelude::*;

use crate::cases::{Case, Set, files};
use crate::engine::{ADAPTIVE, output, pipeline, without};
use crate::{jsonl, mechanisms};

/// The command that writes the table.
const COMMAND: &str = "cargo xtask rules --write";

const DOCUMENT: &str = "crates/engine/fuzzy-adaptive/src/rules/README.md";

/// The command that writes the table of mechanisms.
const MECHANISMS_COMMAND: &str = "cargo xtask rules --mechanisms --write";

/// The document with the table of mechanisms.
pub(crate) const MECHANISMS: &str = "crates/engine/fuzzy-adaptive/src/mechanisms.md";

/// Right edits that a rule may refuse per prevented WRONG one, at most: a wrong landing costs as much as 30 refusals,
/// see [`ACCEPTED`](fuzzy_adaptive::ACCEPTED).
const RIGHT_PER_WRONG: usize = 30;

/// Measure what each rule of the ladder adaptive prevents and costs, and what each mechanism is for.
///
/// The whole engine decides every edit. An edit whose refusal names a rule is decided again without that rule:
///
/// - fires: the refusals that name the rule;
/// - WRONG prevented: the edits that land without the rule, and not as labelled;
/// - right refused: the edits that land as labelled without the rule.
///
/// The other edits are rejected by another rule, or differ only in blanks. A refusal names one rule, the gravest; an
/// edit that another rule would reject too counts only for the named one. Rules that are no check can only fire.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The labelled edits (.jsonl or .jsonl.gz); a folder means its `-dev` and `-train` sets. Patches are skipped.
    /// Default: the folder ../shared/data beside the repository.
    files: Vec<PathBuf>,
    /// The number of generated edits, in equal parts of fixed seeds.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    generated: usize,
    /// Measure the mechanisms instead of the rules: the slips that are undone, and the ways to choose a place and to
    /// merge. Every edit is decided again without each of them; of the generated ones, every tenth.
    #[arg(long)]
    mechanisms: bool,
    /// Write the tables of crates/engine/fuzzy-adaptive/src: rules/README.md and mechanisms.md.
    #[arg(long)]
    write: bool,
}

/// The edits that a rule refuses, and those of them that are WRONG, or right, without it.
type Effect = [usize; 3];

/// The effects of the rules on a set.
struct Measured {
    effects: BTreeMap<String, Effect>,
}

/// The sets with labelled edits, and those with generated ones.
type Measurements = [Vec<Measured>; 2];

/// Measures set after set, prints the figures, and writes the table on request.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let (mut labelled, mut generated) = (Vec::new(), Set::generated(arguments.generated));
    for path in files(&arguments.files)? {
        labelled.extend(Some(Set::load(&path)?).filter(|set| set.changes.is_empty()));
    }
    let (document, name, table) = if arguments.mechanisms {
        generated.iter_mut().for_each(Set::thin_out);
        (MECHANISMS, "mechanisms", mechanisms::measured(labelled.iter().chain(&generated))?)
    } else {
        let engines = Engines::new()?;
        let measure = |sets: &[Set]| sets.iter().map(|set| engines.measure(set)).collect::<Result<Vec<_>>>();
        (DOCUMENT, "rules", table(&[measure(&labelled)?, measure(&generated)?]))
    };
    println!("{table}");
    eprintln!("{:.1} s", start.elapsed().as_secs_f64());
    if arguments.write {
        let names = |sets: &[Set]| {
            let names: Vec<String> = sets.iter().map(|set| format!("{} ({})", set.name, set.edits.len())).collect();
            if names.is_empty() { "none".to_owned() } else { names.join("; ") }
        };
        let body = format!("Labelled: {}.\n\nGenerated: {}.\n\n{table}", names(&labelled), names(&generated));
        let command = if arguments.mechanisms { MECHANISMS_COMMAND } else { COMMAND };
        jsonl::write_tables(document, command, [(name, body)])?;
    }
    Ok(())
}

/// The whole engine, and one without each rule that can be disabled.
struct Engines {
    whole: Pipeline,
    without: BTreeMap<&'static str, Pipeline>,
}

impl Engines {
    fn new() -> Result<Self> {
        let without = checks().map(|rule| Ok((rule.name, without(&[rule.name])?))).collect::<Result<_>>()?;
        Ok(Self { whole: pipeline(ADAPTIVE)?, without })
    }

    fn measure(&self, set: &Set) -> Result<Measured> {
        let mut effects = BTreeMap::<String, Effect>::new();
        let fired: Vec<_> = set.edits.par_iter().map(|case| self.effect(case)).collect::<Result<_>>()?;
        for (rule, effect) in fired.into_iter().flatten() {
            let sum = effects.entry(rule).or_default();
            *sum = std::array::from_fn(|at| sum[at] + effect[at]);
        }
        Ok(Measured { effects })
    }

    /// Returns the rule that refuses an edit, and its effect on that edit.
    fn effect(&self, case: &Case) -> Result<Option<(String, Effect)>> {
        let answer = case.ask(&self.whole);
        let Some(rule) = answer["rule"].as_str() else { return Ok(None) };
        let mut effect = [1, 0, 0];
        if let Some(pipeline) = self.without.get(rule) {
            let answer = case.ask(pipeline);
            ensure!(answer["rule"] != rule, "{rule} refuses {} although it is disabled", case.id);
            let verdict = case.verdict(output(&answer));
            effect[1] = usize::from(verdict == Some(Verdict::Wrong));
            effect[2] = usize::from(verdict == Some(Verdict::Right) && case.is_positive());
        }
        Ok(Some((rule.to_owned(), effect)))
    }
}

/// Formats a row for each rule: the sum over the labelled sets, and that over the generated ones.
fn table(sets: &Measurements) -> String {
    let header = ["rule", "refuses because", "cases", "mark", "fires", "WRONG prevented", "right refused"];
    let mut table = Table::new(4, &header);
    for rule in rules() {
        let effects = sets.each_ref().map(|sets| {
            let effects = sets.iter().filter_map(|set| set.effects.get(rule.name));
            effects.fold(Effect::default(), |sum, effect| std::array::from_fn(|at| sum[at] + effect[at]))
        });
        let mark = mark(rule, effects).to_owned();
        table.row(words(rule).into_iter().chain([mark]).chain(figures(rule, &effects)).collect());
    }
    table.render()
}

fn is_check(rule: &Rule) -> bool {
    checks().any(|check| check == rule)
}

/// Writes the figures of a rule, those of several sums with strokes between them.
fn figures(rule: &Rule, effects: &[Effect]) -> [String; 3] {
    std::array::from_fn(|at| {
        let counts: Vec<String> = effects.iter().map(|effect| effect[at].to_string()).collect();
        if at == 0 || is_check(rule) { counts.join(" / ") } else { "–".to_owned() }
    })
}

/// Returns the mark of a rule from its effects on labelled and generated edits; empty for most rules, and for those
/// that are no check.
fn mark(rule: &Rule, [labelled, generated]: [Effect; 2]) -> &'static str {
    let [prevented, refused] = [1, 2].map(|at| labelled[at] + generated[at]);
    match (prevented, refused > RIGHT_PER_WRONG * prevented.max(1)) {
        _ if !is_check(rule) => "",
        (0, false) => "no WRONG seen",
        (0, true) => "no WRONG seen, expensive",
        (_, true) => "expensive",
        (_, false) => "",
    }
}

/// Returns the cells of a rule that no measurement changes: its name and file, its reason, its cases.
fn words(rule: &Rule) -> [String; 3] {
    let Rule { name, why, .. } = rule;
    [format!("[`{name}`]({})", source(rule)), (*why).to_owned(), format!("[cases](../../tests/rules/{name})")]
}

/// Returns the path of a rule's file, from the document.
fn source(rule: &Rule) -> String {
    let file = |name: &str| format!("{}.rs", name.replace('-', "_"));
    match rule.name.strip_prefix("law-") {
        Some(law) => format!("../../../fuzzy-audit/src/laws/{}", file(law)),
        None if RULES.contains(&rule) => format!("../../../fuzzy-merge/src/rules/{}", file(rule.name)),
        None => file(rule.name),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use fuzzy_adaptive::rules;
    use fuzzy_tools::run::root;

    use super::{DOCUMENT, Engines, Measured, figures, mark, source, table, words};
    use crate::cases::{Case, Set};

    /// Returns the cells of the rows of a table.
    fn rows(table: &str) -> Vec<Vec<&str>> {
        let rows = table.lines().filter(|line| line.starts_with("| ["));
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
    }

    #[test]
    fn the_document_lists_every_rule_and_no_other() {
        let text = fs::read_to_string(root().join(DOCUMENT)).unwrap();
        let listed: Vec<Vec<&str>> = rows(&text).into_iter().map(|cells| cells[..3].to_vec()).collect();
        assert_eq!(listed, rules().map(words).collect::<Vec<_>>(), "run `cargo xtask rules --write`");
        let folder = root().join(Path::new(DOCUMENT).parent().unwrap());
        for rule in rules() {
            assert!(folder.join(source(rule)).is_file(), "{}", rule.name);
        }
    }

    #[test]
    fn edits_of_a_rule_are_decided_without_it() {
        let case = |content: &str, old: &str, expected: Option<&str>| Case {
            content: content.to_owned(),
            old: old.to_owned(),
            new: "timeout = 60\nretries = 5\n".to_owned(),
            expected: expected.map(str::to_owned),
            ..Case::default()
        };
        let (content, old) = ("timeout = 30\nretries = 5\n", "timeout = 20\nretries = 5\n");
        let right = Some("timeout = 60\nretries = 5\n");
        let edits = vec![
            case(content, old, None),
            case(content, old, right),
            case(content, old, Some("timeout = 61\nretries = 5\n")),
            case(content, old, Some("timeout  =  60\nretries = 5\n")),
            case(content, content, right),
            case(content, "fn unrelated() {}\n", None),
        ];
        let measured = Engines::new().unwrap().measure(&Set { edits, ..Set::default() }).unwrap();
        let expected = [("different-value".to_owned(), [4, 2, 1]), ("not-found".to_owned(), [1, 0, 0])];
        assert_eq!(measured.effects, BTreeMap::from(expected));
    }

    #[test]
    fn sums_are_of_labelled_and_of_generated_edits() {
        let set = |fires| {
            let effects = BTreeMap::from([("law-ends".to_owned(), [fires, 1, 2])]);
            Measured { effects }
        };
        let table = table(&[vec![set(3), set(4)], vec![set(5)]]);
        let rows = rows(&table);
        assert_eq!(rows.last().unwrap()[3..], ["", "7 / 5", "2 / 1", "4 / 2"]);
        assert_eq!(rows[0][3..], ["", "0 / 0", "–", "–"]);
    }

    #[test]
    fn a_mark_compares_prevented_and_refused_edits() {
        let rule = |name: &str| rules().find(|rule| rule.name == name).unwrap();
        for (name, prevented, refused, expected) in [
            ("law-ends", 0, 30, "no WRONG seen"),
            ("law-ends", 0, 31, "no WRONG seen, expensive"),
            ("law-ends", 2, 60, ""),
            ("law-ends", 2, 61, "expensive"),
            ("not-found", 0, 0, ""),
        ] {
            let effects = [[100, prevented, 0], [100, 0, refused]];
            assert_eq!(mark(rule(name), effects), expected, "{name} {prevented} {refused}");
        }
        assert_eq!(figures(rule("not-found"), &[[3, 2, 1]]), ["3", "–", "–"]);
    }
}
