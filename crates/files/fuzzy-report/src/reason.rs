//! Words the refusal by a rule: the reason and the next step.

use fuzzy_core::report::Reason;
use fuzzy_core::{Judgement, LineRange, Refusal};

use crate::contested::quoted;

/// Returns the message of a refusal by a rule about these lines, and the rule's own next step, if it has one; `None`
/// without a rule.
pub(crate) fn headline(
    judgement: &Judgement<'_>,
    refusal: &Refusal,
    lines: LineRange,
) -> Option<(String, Option<String>)> {
    let reason = judgement.reason()?;
    let mut message = match refusal {
        Refusal::Uncertain => format!("the place is found, {lines}, but {}", reason.why),
        Refusal::TooDifferent => format!("{}: {lines}", reason.why),
        _ => return None,
    };
    message += &texts(reason);
    let next_step = (judgement.rule() == Some("equal-place")).then(|| {
        format!(
            "Add lines from around the intended place, {lines} or a similar one, until the old text matches only there."
        )
    });
    Some((message, next_step))
}

/// Quotes the three texts that the rule compared.
fn texts(Reason { file, old, new, .. }: Reason<'_>) -> String {
    if [file, old, new].iter().all(|text| text.trim().is_empty()) {
        return String::new();
    }
    format!("; the file has {}, the old text {}, the new text {}", quoted(file), quoted(old), quoted(new))
}
