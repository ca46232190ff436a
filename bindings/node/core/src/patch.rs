//! Patches of files that the caller holds.

use std::path::Path;

use fuzzy_plan::{Limits, Rules, Texts};
use fuzzy_report::{Code, Failure, Report, operations_of};
use serde::Serialize;

use crate::bad_request::BadRequest;
use crate::json::json;
use crate::request::Request;

/// What became of a patch: all of it was made, or nothing.
#[derive(Default, Serialize)]
struct Patched<'t> {
    ok: bool,
    /// Each operation, in order.
    reports: Vec<Report>,
    /// The files that are not as they were, with their new texts; none where a file is gone.
    changes: Vec<Change<'t>>,
    /// Why the patch cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

#[derive(Serialize)]
struct Change<'t> {
    path: &'t Path,
    text: Option<&'t str>,
}

/// Carries out a patch. The request's text is all files one behind the other, its old text their names and lengths, its
/// new text the patch: `target␀(name␀length␀)*`.
///
/// # Errors
///
/// [`BadRequest::Short`] if the lengths are not those of the files.
pub(crate) fn patch(request: &Request<'_>) -> Result<String, BadRequest> {
    let content = request.content.text();
    let short = BadRequest::Short(content.len());
    let mut words = request.old.split_terminator('\0');
    let target = words.next().filter(|target| !target.is_empty());
    let mut texts = Texts::default();
    let mut rest = content.as_ref();
    while let Some(path) = words.next() {
        let length = words.next().and_then(|length| length.parse().ok()).ok_or(short)?;
        let (text, behind) = rest.split_at_checked(length).ok_or(short)?;
        texts = texts.with(path, text);
        rest = behind;
    }
    let parsed = fuzzy_patch::parse_where(request.new.unwrap_or_default(), target, &|name| texts.has(Path::new(name)));
    let patch = match parsed {
        Ok(patch) => patch,
        Err(error) => {
            let failure = Some(Failure::new(Code::Parse, error.to_string(), error.next_step()));
            return Ok(json(&Patched { failure, ..Patched::default() }));
        }
    };
    let rules =
        Rules { least_confidence: request.least_confidence(), ..Rules::new(request.pipeline(), Limits::default()) };
    let reports = texts.apply(&rules, &operations_of(&patch));
    let ok = reports.iter().all(|report| matches!(report, Report::Success(_)));
    let changes = texts.changes().map(|(path, text)| Change { path, text }).collect();
    Ok(json(&Patched { ok, reports, changes, failure: None }))
}
