//! The figures of the rules as tables, and the table beside the rules.

use std::fs;

use anyhow::{Context, Result};
use fuzzy_adaptive::{checks, rules};
use fuzzy_merge::{RULES, Rule};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::run::root;
use fuzzy_tools::table::{Table, or_dash};

use crate::rules::measure::{Effect, Effects};

/// The command that writes the table.
const COMMAND: &str = "cargo xtask rules --write";

const DOCUMENT: &str = "crates/engine/fuzzy-adaptive/src/rules/README.md";

/// Right edits that a rule may refuse per prevented WRONG one, at most: a wrong landing costs as much as 30 refusals,
/// see [`ACCEPTED`](fuzzy_adaptive::ACCEPTED).
const RIGHT_PER_WRONG: usize = 30;

/// The effects of the rules on a set.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) edits: usize,
    pub(crate) effects: Effects,
}

/// The effects of the rules on every set.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) labelled: Vec<Set>,
    pub(crate) generated: Vec<Set>,
}

impl Report {
    /// Renders a row for each rule and set in which it fires.
    pub(crate) fn by_set(&self) -> String {
        let mut table = Table::new(2, &["rule", "set", "fires", "WRONG prevented", "right refused"]);
        for rule in rules() {
            for set in self.labelled.iter().chain(&self.generated) {
                if let Some(effect) = set.effects.get(rule.name) {
                    let figures = figures(rule, &[*effect]);
                    table.row([rule.name.to_owned(), set.name.clone()].into_iter().chain(figures).collect());
                }
            }
        }
        table.render()
    }

    /// Renders a row for each rule: the sum over the labelled sets, and that over the generated ones.
    pub(crate) fn sums(&self) -> String {
        let mut table = Table::new(2, &["rule", "mark", "fires", "WRONG prevented", "right refused"]);
        for rule in rules() {
            let effects = self.effects(rule);
            let words = [rule.name.to_owned(), mark(rule, effects).to_owned()];
            table.row(words.into_iter().chain(figures(rule, &effects)).collect());
        }
        table.render()
    }

    /// Rewrites the table beside the rules; keeps the text around it.
    pub(crate) fn write(&self) -> Result<()> {
        let path = root().join(DOCUMENT);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {DOCUMENT}"))?;
        let text = replace_block(&text, "rules", COMMAND, &self.table())
            .with_context(|| format!("cannot place the table in {DOCUMENT}"))?;
        fs::write(&path, text).with_context(|| format!("cannot write {DOCUMENT}"))?;
        eprintln!("{DOCUMENT} written");
        Ok(())
    }

    /// Renders the table beside the rules, under the list of the sets.
    fn table(&self) -> String {
        let header = ["rule", "refuses because", "cases", "mark", "fires", "WRONG prevented", "right refused"];
        let mut table = Table::new(4, &header);
        for rule in rules() {
            let effects = self.effects(rule);
            let mark = mark(rule, effects).to_owned();
            table.row(words(rule).into_iter().chain([mark]).chain(figures(rule, &effects)).collect());
        }
        let [labelled, generated] = [&self.labelled, &self.generated].map(|sets| list(sets));
        format!("Labelled: {labelled}.\n\nGenerated: {generated}.\n\n{}", table.render())
    }

    /// Returns the sums of a rule's effects over the labelled sets and over the generated ones.
    fn effects(&self, rule: &Rule) -> [Effect; 2] {
        [&self.labelled, &self.generated].map(|sets| {
            let mut sum = Effect::default();
            sets.iter().filter_map(|set| set.effects.get(rule.name)).for_each(|effect| sum += *effect);
            sum
        })
    }
}

/// Lists sets with their sizes.
fn list(sets: &[Set]) -> String {
    let sets: Vec<String> = sets.iter().map(|set| format!("{} ({})", set.name, set.edits)).collect();
    if sets.is_empty() { "none".to_owned() } else { sets.join("; ") }
}

/// Writes the figures of a rule, those of several sums with strokes between them.
fn figures(rule: &Rule, effects: &[Effect]) -> [String; 3] {
    let is_check = checks().any(|check| check == rule);
    let join = |count: fn(&Effect) -> usize| {
        effects.iter().map(|effect| count(effect).to_string()).collect::<Vec<_>>().join(" / ")
    };
    let [prevented, refused] = [|effect: &Effect| effect.prevented, |effect: &Effect| effect.refused]
        .map(|count| or_dash(is_check.then_some(count), join));
    [join(|effect| effect.fires), prevented, refused]
}

/// Returns the mark of a rule from its effects on labelled and generated edits; empty for most rules, and for those
/// that are no check.
fn mark(rule: &Rule, [labelled, generated]: [Effect; 2]) -> &'static str {
    if !checks().any(|check| check == rule) {
        return "";
    }
    let prevented = labelled.prevented + generated.prevented;
    let is_expensive = labelled.refused + generated.refused > RIGHT_PER_WRONG * prevented.max(1);
    match (prevented, is_expensive) {
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
    use fuzzy_merge::Rule;
    use fuzzy_tools::run::root;

    use super::{DOCUMENT, Report, Set, figures, mark, source, words};
    use crate::rules::measure::Effect;

    fn rule(name: &str) -> &'static Rule {
        rules().find(|rule| rule.name == name).unwrap()
    }

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
    fn sums_are_of_labelled_and_of_generated_edits() {
        let effects = |fires| BTreeMap::from([("law-ends", Effect { fires, prevented: 1, refused: 2 })]);
        let set = |fires| Set { name: format!("set {fires}"), edits: 10 * fires, effects: effects(fires) };
        let report = Report { labelled: vec![set(3), set(4)], generated: vec![set(5)] };
        let table = report.table();
        assert!(table.starts_with("Labelled: set 3 (30); set 4 (40).\n\nGenerated: set 5 (50).\n\n| rule "), "{table}");
        let rows = rows(&table);
        assert_eq!(rows.last().unwrap()[3..], ["", "7 / 5", "2 / 1", "4 / 2"]);
        assert_eq!(rows[0][3..], ["", "0 / 0", "–", "–"]);
    }

    #[test]
    fn a_mark_compares_prevented_and_refused_edits() {
        for (name, prevented, refused, expected) in [
            ("law-ends", 0, 0, "no WRONG seen"),
            ("law-ends", 0, 30, "no WRONG seen"),
            ("law-ends", 0, 31, "no WRONG seen, expensive"),
            ("law-ends", 2, 60, ""),
            ("law-ends", 2, 61, "expensive"),
            ("not-found", 0, 0, ""),
        ] {
            let [one, other] = [prevented / 2, prevented - prevented / 2];
            let effects = [(one, 0), (other, refused)];
            let effects = effects.map(|(prevented, refused)| Effect { fires: 100, prevented, refused });
            assert_eq!(mark(rule(name), effects), expected, "{name} {prevented} {refused}");
        }
        let effect = Effect { fires: 3, prevented: 2, refused: 1 };
        assert_eq!(figures(rule("law-ends"), &[effect]), ["3", "2", "1"]);
        assert_eq!(figures(rule("not-found"), &[effect]), ["3", "–", "–"]);
    }
}
