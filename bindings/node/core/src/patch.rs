//! Applies patches to files in the memory of the caller.

use std::path::Path;

use fuzzy_plan::{Limits, Options, Texts};
use fuzzy_report::{Code, Failure, Report};
use serde::Serialize;

use crate::bad_request::BadRequest;
use crate::json::json;
use crate::request::Request;

/// The result of a patch, which is applied completely or not at all.
#[derive(Default, Serialize)]
struct Patched<'t> {
    ok: bool,
    /// The result of each operation, in order.
    reports: Vec<Report>,
    /// The changed files with their new texts; a deleted file has none.
    changes: Vec<Change<'t>>,
    /// The reason why the patch cannot be parsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

#[derive(Serialize)]
struct Change<'t> {
    path: &'t Path,
    text: Option<&'t str>,
}

/// Applies a patch. The content of the request is the concatenation of all files. Its old text is
/// `target␀(name␀length␀)*`, with the lengths in bytes, and its new text is the patch.
///
/// # Errors
///
/// Returns [`BadRequest::Short`] if the lengths exceed the content.
pub(crate) fn patch(request: &Request<'_>) -> Result<String, BadRequest> {
    let content = request.content;
    let short = BadRequest::Short(content.len());
    let mut words = request.old.split_terminator('\0');
    let target = words.next().filter(|target| !target.is_empty());
    let mut texts = Texts::default();
    let mut rest = content;
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
    let options =
        Options { least_confidence: request.least_confidence(), ..Options::new(request.pipeline(), Limits::default()) };
    let reports = texts.apply(&options, &patch.operations());
    let ok = reports.iter().all(|report| matches!(report, Report::Success(_)));
    let changes = texts.changes().map(|(path, text)| Change { path, text }).collect();
    Ok(json(&Patched { ok, reports, changes, failure: None }))
}
