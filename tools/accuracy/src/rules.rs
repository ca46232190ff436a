//! Measures what each rule of the ladder `adaptive` prevents and costs, and what each mechanism is for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use fuzzy_adaptive::{checks, mechanisms, rules};
use fuzzy_merge::{Mechanism, RULES, Rule};
use fuzzy_pipeline::Pipeline;
use fuzzy_report::Verdict;
use fuzzy_tools::table::Table;
use rayon::prelude::*;

use crate::cases::{Case, Set, files};
use crate::engine::{ADAPTIVE, output, pipeline, without};
use crate::jsonl;

/// The command that writes both tables.
const COMMAND: &str = "cargo xtask rules --write";

/// The documents with the table of rules and with that of mechanisms.
const RULES_DOCUMENT: &str = "crates/engine/fuzzy-adaptive/src/rules/README.md";
const MECHANISMS_DOCUMENT: &str = "crates/engine/fuzzy-adaptive/src/mechanisms.md";

/// The beginnings of the names of sets with real edits: those that agents sent, failed and landed ones, and public bug
/// reports. All edits of a set are of one kind.
const REAL: [&str; 3] = ["real", "exact", "reports"];

/// The kinds of edits; each has a column of its own in both tables.
const KINDS: [&str; 3] = ["labelled", "real", "generated"];

/// Of so many generated edits, one is decided again without each mechanism.
const GENERATED_PER_MEASURED: usize = 10;

/// Right edits that a rule may refuse per prevented WRONG one, at most: a wrong landing costs as much as 30 refusals,
/// see [`ACCEPTED`](fuzzy_adaptive::ACCEPTED).
const RIGHT_PER_WRONG: usize = 30;

/// Measure what each rule of the ladder adaptive prevents and costs, and what each mechanism is for.
///
/// Every edit is decided by the whole engine, and again without each mechanism; of the generated edits, every tenth. A
/// refused one is decided again without the rule that the refusal names; it is the gravest, and another may refuse the
/// edit, too. Real edits are those of the sets whose names begin with `real`, `exact` or `reports`; they have a column of
/// their own, and so have the other labelled edits, and the generated ones.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The labelled edits (.jsonl or .jsonl.gz); a folder means its `-dev` and `-train` sets. Patches are skipped.
    /// Default: the folder ../shared/data beside the repository.
    files: Vec<PathBuf>,
    /// The number of generated edits, in equal parts of fixed seeds.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    generated: usize,
    /// Write the tables of crates/engine/fuzzy-adaptive/src: rules/README.md and mechanisms.md.
    #[arg(long)]
    write: bool,
}

/// Counts of edits: refused by the rule, and by the positions below.
type Effect = [usize; 5];

/// The edits that are right, or WRONG, only with a rule or mechanism.
const RIGHT_WITH: usize = 1;
const WRONG_WITH: usize = 2;

/// The edits that are right, or WRONG, only without it.
const RIGHT_WITHOUT: usize = 3;
const WRONG_WITHOUT: usize = 4;

/// The effects of each rule or mechanism on each of the [`KINDS`] of edits.
type Effects = BTreeMap<&'static str, [Effect; 3]>;

/// Measures set after set, prints the figures, and writes the table on request.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let mut sets = Vec::new();
    for path in files(&arguments.files)? {
        sets.extend(Some(Set::load(&path)?).filter(|set| set.changes.is_empty()));
    }
    let labelled = sets.len();
    sets.extend(Set::generated(arguments.generated));
    let engines = Engines::new()?;
    let mut effects = Effects::new();
    for set in &sets {
        engines.measure(set, &mut effects);
        eprintln!("{}: {:.0} s", set.name, start.elapsed().as_secs_f64());
    }
    let tables = [
        (RULES_DOCUMENT, "rules", table_of_rules(&effects)),
        (MECHANISMS_DOCUMENT, "mechanisms", table_of_mechanisms(&effects)),
    ];
    let (labelled, generated) = sets.split_at(labelled);
    let (real, others): (Vec<&Set>, Vec<&Set>) = labelled.iter().partition(|set| is_real(set));
    let names = [others, real, generated.iter().collect()].map(|sets| names(&sets));
    let sources: Vec<String> = KINDS.iter().zip(names).map(|(kind, names)| format!("- {kind}: {names}\n")).collect();
    for (document, name, table) in tables {
        println!("{table}");
        if arguments.write {
            jsonl::write_tables(document, COMMAND, [(name, format!("{}\n{table}", sources.concat()))])?;
        }
    }
    Ok(())
}

/// Returns whether agents sent the edits of a set.
fn is_real(set: &Set) -> bool {
    REAL.iter().any(|real| set.name.starts_with(real))
}

/// Returns the names of sets, with their numbers of edits.
fn names(sets: &[&Set]) -> String {
    let names: Vec<String> = sets.iter().map(|set| format!("{} ({})", set.name, set.edits.len())).collect();
    if names.is_empty() { "none".to_owned() } else { names.join("; ") }
}

/// The whole engine, and one without each rule, or each mechanism.
struct Engines {
    whole: Pipeline,
    without: BTreeMap<&'static str, Pipeline>,
}

impl Engines {
    fn new() -> Result<Self> {
        let names = checks().map(|rule| rule.name).chain(mechanisms().map(|mechanism| mechanism.name));
        let without = names.map(|name| Ok((name, without(&[name])?))).collect::<Result<_>>()?;
        Ok(Self { whole: pipeline(ADAPTIVE)?, without })
    }

    /// Decides every edit of a set, and adds the effects on them.
    fn measure(&self, set: &Set, effects: &mut Effects) {
        let is_generated = set.edits.first().is_some_and(|case| case.is_generated);
        let kind = if is_generated { 2 } else { usize::from(is_real(set)) };
        let has_all = |at: usize| !is_generated || at.is_multiple_of(GENERATED_PER_MEASURED);
        let cases = set.edits.par_iter().enumerate();
        let found: Vec<_> = cases.flat_map_iter(|(at, case)| self.effects(case, has_all(at))).collect();
        for (name, effect) in found {
            let sums = &mut effects.entry(name).or_default()[kind];
            *sums = std::array::from_fn(|at| sums[at] + effect[at]);
        }
    }

    /// Returns the effects on an edit: of the rule that refuses it, and perhaps of all mechanisms.
    fn effects(&self, case: &Case, with_mechanisms: bool) -> Vec<(&'static str, Effect)> {
        let answer = case.ask(&self.whole);
        let whole = case.verdict(output(&answer));
        let effect = |name: &'static str| {
            let without = self.without.get(name).map_or(whole, |engine| case.verdict(output(&case.ask(engine))));
            let only = |one, wanted, other| usize::from(one == Some(wanted) && other != Some(wanted));
            let [right, wrong] = [Verdict::Right, Verdict::Wrong]
                .map(|wanted| [only(whole, wanted, without), only(without, wanted, whole)]);
            (name, [usize::from(answer["rule"] == name), right[0], wrong[0], right[1], wrong[1]])
        };
        let rule = rules().map(|rule| rule.name).filter(|name| answer["rule"] == *name);
        let mechanisms = mechanisms().map(|mechanism| mechanism.name).filter(|_| with_mechanisms);
        rule.chain(mechanisms).map(effect).collect()
    }
}

/// Returns the effects of a name.
fn effects_of(effects: &Effects, name: &str) -> [Effect; 3] {
    effects.get(name).copied().unwrap_or_default()
}

/// Writes some counts of each kind of edits, with strokes between them.
fn figures(effects: [Effect; 3], at: &[usize]) -> [String; 3] {
    effects.map(|effect| at.iter().map(|at| effect[*at].to_string()).collect::<Vec<_>>().join(" / "))
}

/// Makes a table with four columns of words, and one for each kind of edits.
fn table(words: [&'static str; 4], rows: impl Iterator<Item = ([String; 4], [String; 3])>) -> String {
    let header: Vec<&str> = words.into_iter().chain(KINDS).collect();
    let mut table = Table::new(words.len(), &header);
    rows.for_each(|(words, figures)| table.row(words.into_iter().chain(figures).collect()));
    table.render()
}

/// Formats a row for each rule: fires / WRONG prevented / right refused.
fn table_of_rules(effects: &Effects) -> String {
    let rows = rules().map(|rule| {
        let effects = effects_of(effects, rule.name);
        let [name, why, cases] = words(rule);
        let at: &[usize] = if is_check(rule) { &[0, WRONG_WITHOUT, RIGHT_WITHOUT] } else { &[0] };
        ([name, why, cases, mark(rule, effects).to_owned()], figures(effects, at))
    });
    table(["rule", "refuses because", "cases", "mark"], rows)
}

/// Formats a row for each mechanism: right only with it / makes WRONG.
fn table_of_mechanisms(effects: &Effects) -> String {
    let rows = mechanisms().map(|mechanism| {
        (words_of_mechanism(mechanism), figures(effects_of(effects, mechanism.name), &[RIGHT_WITH, WRONG_WITH]))
    });
    table(["mechanism", "phase", "slip, or purpose", "cases"], rows)
}

/// Returns the cells of a mechanism that no measurement changes: its name, its phase, what it does, its cases.
fn words_of_mechanism(mechanism: &Mechanism) -> [String; 4] {
    let Mechanism { name, phase, what } = mechanism;
    let cases = if phase.undoes_slips() { format!("[cases](../tests/slips/{name})") } else { String::new() };
    [format!("`{name}`"), format!("{phase:?}").to_lowercase(), (*what).to_owned(), cases]
}

/// Returns whether a rule can be left out.
fn is_check(rule: &Rule) -> bool {
    checks().any(|check| check == rule)
}

/// Returns the mark of a rule from its effects; empty for most rules, and for those that are no check.
fn mark(rule: &Rule, effects: [Effect; 3]) -> &'static str {
    let [prevented, refused] =
        [WRONG_WITHOUT, RIGHT_WITHOUT].map(|at| effects.iter().map(|effect| effect[at]).sum::<usize>());
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

    use fuzzy_adaptive::{mechanisms, rules};
    use fuzzy_tools::run::root;

    use super::{
        Effects, Engines, MECHANISMS_DOCUMENT, RULES_DOCUMENT, figures, mark, source, table_of_mechanisms,
        table_of_rules, words, words_of_mechanism,
    };
    use crate::cases::{Case, Set};

    /// Returns the cells of the rows of a table that begin with a mark.
    fn rows(table: &str, mark: char) -> Vec<Vec<&str>> {
        let rows = table.lines().filter(|line| line.strip_prefix("| ").is_some_and(|line| line.starts_with(mark)));
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
    }

    #[test]
    fn the_documents_list_every_rule_and_mechanism_and_no_other() {
        let [of_rules, of_mechanisms] =
            [RULES_DOCUMENT, MECHANISMS_DOCUMENT].map(|path| fs::read_to_string(root().join(path)).unwrap());
        let listed: Vec<Vec<&str>> = rows(&of_rules, '[').into_iter().map(|cells| cells[..3].to_vec()).collect();
        assert_eq!(listed, rules().map(words).collect::<Vec<_>>(), "run `cargo xtask rules --write`");
        let listed: Vec<Vec<&str>> = rows(&of_mechanisms, '`').into_iter().map(|cells| cells[..4].to_vec()).collect();
        let words: Vec<_> = mechanisms().map(words_of_mechanism).collect();
        assert_eq!(listed, words, "run `cargo xtask rules --write`");
        let folder = root().join(Path::new(RULES_DOCUMENT).parent().unwrap());
        for rule in rules() {
            assert!(folder.join(source(rule)).is_file(), "{}", rule.name);
        }
    }

    /// Returns the effects on edits of a set with this name.
    fn measured(name: &str, edits: Vec<Case>) -> Effects {
        let mut effects = Effects::new();
        let set = Set { name: name.to_owned(), edits, ..Set::default() };
        Engines::new().unwrap().measure(&set, &mut effects);
        effects
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
        let mut effects = measured("drift-dev", edits);
        effects.retain(|name, _| rules().any(|rule| rule.name == *name));
        let expected = [("different-value", [4, 1, 0, 1, 2]), ("not-found", [1, 0, 0, 0, 0])];
        assert_eq!(effects, BTreeMap::from(expected.map(|(name, effect)| (name, [effect, [0; 5], [0; 5]]))));
        let table = table_of_rules(&effects);
        let row = rows(&table, '[').into_iter().find(|row| row[0].starts_with("[`different-value`")).unwrap();
        assert_eq!(row[3..], ["", "4 / 2 / 1", "0 / 0 / 0", "0 / 0 / 0"]);
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
        let effects = measured("real-dev", vec![case]);
        assert_eq!(effects["line-numbers"], [[0; 5], [0, 1, 0, 0, 0], [0; 5]]);
        assert_eq!(effects.values().filter(|effects| effects[1] != [0; 5]).count(), 1);
        let table = table_of_mechanisms(&effects);
        let row = rows(&table, '`').into_iter().find(|row| row[0] == "`line-numbers`").unwrap();
        assert_eq!(row[4..], ["0 / 0", "1 / 0", "0 / 0"]);
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
            let effects = [[100, 0, 0, 0, prevented], [100, 0, 0, refused, 0], [0; 5]];
            assert_eq!(mark(rule(name), effects), expected, "{name} {prevented} {refused}");
            assert_eq!(figures(effects, &[0]), ["100", "100", "0"]);
        }
    }
}
