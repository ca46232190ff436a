//! The ladder `adaptive` without some rules, for measurements.

use anyhow::{Context, Result, bail};
use fuzzy_adaptive::{Without, checks, rules};
use fuzzy_pipeline::{Ladder, Pipeline, ladder};

/// The ladder that has rules.
pub(crate) const LADDER: &str = "adaptive";

/// Makes the ladder without the rules of these names. Its decider lives as long as the program, because ladders only
/// borrow deciders.
pub(crate) fn without<S: AsRef<str>>(names: &[S]) -> Result<Pipeline> {
    let names = names.iter().map(|name| check(name.as_ref())).collect::<Result<Vec<_>>>()?;
    let decider: &'static Without = Box::leak(Box::new(Without(names.leak())));
    let strategies = ladder::named(LADDER)?.strategies().to_vec();
    Ok(Pipeline::new(Ladder::new(LADDER, decider, strategies)))
}

/// Returns the name of a rule that can be disabled.
fn check(name: &str) -> Result<&'static str> {
    let known = || checks().map(|rule| rule.name).collect::<Vec<_>>().join(", ");
    if let Some(rule) = checks().find(|rule| rule.name == name) {
        return Ok(rule.name);
    }
    let rule = rules().find(|rule| rule.name == name);
    let rule = rule.with_context(|| format!("no rule {name:?}; these can be disabled: {}", known()))?;
    bail!("{name} cannot be disabled, because it is not a check ({}); these can: {}", rule.why, known())
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn a_rule_that_is_unknown_or_no_check_is_an_error() {
        for (name, begins) in [
            ("different-values", "no rule \"different-values\"; these can be disabled: "),
            ("", "no rule \"\"; "),
            ("not-found", "not-found cannot be disabled, because it is not a check (no place of the file resembles "),
        ] {
            let error = without(&["different-value", name]).unwrap_err().to_string();
            assert!(error.starts_with(begins), "{error}");
            assert!(error.contains(", equal-place, ") && error.contains(", law-ends"), "{error}");
        }
        assert!(without(&["different-value", "law-words"]).is_ok());
    }
}
