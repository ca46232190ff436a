//! Decides edits with every rule, and the edits that a rule rejects once more without it.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use anyhow::{Result, ensure};
use fuzzy_adaptive::checks;
use fuzzy_pipeline::{Applied, Document, Edit, Failure, Pipeline, ladder};
use fuzzy_testkit::slipped_edits;
use fuzzy_testkit::verdict::Verdict;

use crate::cases::Case;
use crate::parallel::in_parallel;
use crate::verdict;
use crate::without::{LADDER, without};

/// An edit with a label.
pub(crate) trait Labelled: Sync {
    /// Returns the text to edit, and the edit.
    fn edit(&self) -> (&str, Edit<'_>);

    /// Returns whether the edit should land.
    fn is_positive(&self) -> bool;

    /// Rates an answer; `None` if the label is not sufficient.
    fn verdict(&self, answer: &Result<Applied, Failure>) -> Option<Verdict>;
}

impl Labelled for Case {
    fn edit(&self) -> (&str, Edit<'_>) {
        (&self.content, Edit::new(&self.old, &self.new).with_replace_all(self.replace_all))
    }

    fn is_positive(&self) -> bool {
        self.is_positive()
    }

    fn verdict(&self, answer: &Result<Applied, Failure>) -> Option<Verdict> {
        verdict::judge(self, answer.as_ref().ok().map(|applied| applied.output.as_str()))
    }
}

impl Labelled for slipped_edits::Case {
    fn edit(&self) -> (&str, Edit<'_>) {
        (&self.content, Edit::new(&self.old, &self.new))
    }

    fn is_positive(&self) -> bool {
        self.expected.is_some()
    }

    fn verdict(&self, answer: &Result<Applied, Failure>) -> Option<Verdict> {
        Some(self.verdict(answer))
    }
}

/// The effect of a rule, in numbers of edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Refusals that name the rule.
    pub(crate) fires: usize,
    /// Refusals that are WRONG without the rule.
    pub(crate) prevented: usize,
    /// Refusals that are right without the rule.
    pub(crate) refused: usize,
}

impl AddAssign for Effect {
    fn add_assign(&mut self, other: Self) {
        self.fires += other.fires;
        self.prevented += other.prevented;
        self.refused += other.refused;
    }
}

/// The effects of the rules that fire, by name.
pub(crate) type Effects = BTreeMap<&'static str, Effect>;

/// The whole engine, and one without each rule.
pub(crate) struct Engines {
    whole: Pipeline,
    without: BTreeMap<&'static str, Pipeline>,
}

impl Engines {
    /// Makes an engine without each rule that can be disabled.
    pub(crate) fn new() -> Result<Self> {
        let without = checks().map(|rule| Ok((rule.name, without(&[rule.name])?))).collect::<Result<_>>()?;
        Ok(Self { whole: Pipeline::new(ladder::named(LADDER)?), without })
    }

    /// Measures the rules on some edits, on several threads: two decisions for an edit that a rule rejects, otherwise
    /// one.
    pub(crate) fn measure<L: Labelled>(&self, edits: &[L], jobs: usize) -> Result<Effects> {
        let mut effects = Effects::new();
        for fired in in_parallel(edits, jobs, |edit| self.effect(edit)) {
            if let Some((name, effect)) = fired? {
                *effects.entry(name).or_default() += effect;
            }
        }
        Ok(effects)
    }

    /// Returns the rule that refuses an edit, and its effect on that edit.
    fn effect(&self, labelled: &impl Labelled) -> Result<Option<(&'static str, Effect)>> {
        let (content, edit) = labelled.edit();
        let document = Document::new(content);
        let Some(name) = edit.attempt(&self.whole, &document).decide().rule() else { return Ok(None) };
        let mut effect = Effect { fires: 1, ..Effect::default() };
        if let Some(pipeline) = self.without.get(name) {
            let attempt = edit.attempt(pipeline, &document);
            let judgement = attempt.decide();
            ensure!(judgement.rule() != Some(name), "{name} refuses an edit although it is disabled");
            let verdict = labelled.verdict(&judgement.apply());
            effect.prevented = usize::from(verdict == Some(Verdict::Wrong));
            effect.refused = usize::from(verdict == Some(Verdict::Right) && labelled.is_positive());
        }
        Ok(Some((name, effect)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, Effects, Engines};
    use crate::cases::Case;

    fn case(content: &str, old: &str, expected: Option<&str>) -> Case {
        Case {
            content: content.to_owned(),
            old: old.to_owned(),
            new: "timeout = 60\nretries = 5\n".to_owned(),
            expected: expected.map(str::to_owned),
            ..Case::default()
        }
    }

    #[test]
    fn edits_of_a_rule_are_decided_without_it() {
        let (content, old) = ("timeout = 30\nretries = 5\n", "timeout = 20\nretries = 5\n");
        let right = Some("timeout = 60\nretries = 5\n");
        let cases = [
            case(content, old, None),
            case(content, old, right),
            case(content, old, Some("timeout = 61\nretries = 5\n")),
            case(content, old, Some("timeout  =  60\nretries = 5\n")),
            case(content, content, right),
            case(content, "fn unrelated() {}\n", None),
        ];
        let effects = Engines::new().unwrap().measure(&cases, 2).unwrap();
        let expected = [
            ("different-value", Effect { fires: 4, prevented: 2, refused: 1 }),
            ("not-found", Effect { fires: 1, prevented: 0, refused: 0 }),
        ];
        assert_eq!(effects, Effects::from(expected));
    }
}
