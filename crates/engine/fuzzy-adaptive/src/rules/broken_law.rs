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
    const fn rule(law: Law) -> Rule {
        Rule { name: law.name(), kind: Kind::Guess, why: law.why() }
    }
    let laws = Law::ALL;
    [rule(laws[0]), rule(laws[1]), rule(laws[2]), rule(laws[3]), rule(laws[4]), rule(laws[5])]
};
