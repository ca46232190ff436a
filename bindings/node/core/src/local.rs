//! Decides an edit from the lines around the only exact occurrence of its old text, if no other lines can matter.

use fuzzy_pipeline::Document;

use crate::answer::of;
use crate::json::json;
use crate::request::{Excerpt, Request, What};
use crate::units::Units;

/// Answers an edit from an excerpt of its text; `None` if the decision needs more of the text, or if the edit fails.
///
/// The engine decides, and reports whether these lines were enough for the decision.
///
/// Cost: a search of these lines, and a decision about them.
pub(crate) fn answer(request: &Request<'_>, excerpt: Excerpt) -> Option<String> {
    let (lines, new) = (request.content, request.new?);
    // The encoder writes it for a lone surrogate, which the caller names only in the whole text.
    if [lines, new].iter().any(|text| text.contains(char::REPLACEMENT_CHARACTER)) {
        return None;
    }
    let reach = request.pipeline().ladder().reach(new, lines.contains('\r'))?;
    let document = Document::new(lines);
    let attempt = request.attempt(&document);
    let judgement = attempt.decide();
    let place = judgement.found().ok().filter(|_| judgement.is_local())?.span;
    if (excerpt.start > 0 && place.start() < reach) || (!excerpt.is_end && lines.len() - place.end() < reach) {
        return None;
    }
    let answer = of(&judgement, &Units::of_part(lines, excerpt.start), request.what == What::Apply);
    answer.is_ok().then(|| json(&answer))
}
