//! The merged text breaks a law of the audit. Each law is a rule of its own, in `fuzzy-audit/src/laws`.

use fuzzy_audit::Law;
use fuzzy_merge::{Kind, Rule};

/// Returns the rule of a law.
pub(crate) fn rule(law: Law) -> &'static Rule {
    let at = Law::ALL.iter().position(|known| *known == law).unwrap_or(0);
    &RULES[at]
}

/// The rules of the laws, in their order.
pub(crate) static RULES: [Rule; Law::ALL.len()] = {
    let mut rules = [rule_of(Law::Words); Law::ALL.len()];
    let mut at = 0;
    while at < rules.len() {
        rules[at] = rule_of(Law::ALL[at]);
        at += 1;
    }
    rules
};

const fn rule_of(law: Law) -> Rule {
    Rule { name: law.name(), kind: Kind::Guess, why: law.why() }
}
