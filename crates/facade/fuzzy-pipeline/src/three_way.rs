//! Lets a ladder fit what it pastes to the file.

use fuzzy_core::{Merge, Query, Refusal, Span, Splice};
use fuzzy_merge::{Run, merge_while, narrowed};

/// So much of the lines that the edit changes must occur in the file, or it was written against other lines. A rung
/// that compares only the ends of a block proposes such places.
const LEAST_FOUND: f32 = 0.6;

/// Merges old text, new text and file three ways, for [`Ladder::with_merge`](crate::Ladder::with_merge).
///
/// Kept text is the file's; changed and added text gets the file's indentation and line endings. An edit that would need
/// a guess, or whose changed lines are hardly the file's, is refused. An exact place and `replace_all` take the new text
/// to the byte, as without.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "conservative")] {
/// use fuzzy_pipeline::{Document, Edit, Pipeline, ThreeWay, ladder};
///
/// let file = Document::new("fn f() {\n\tif ready {\n\t\tstart();\n\t}\n}\n");
/// let edit = Edit::new("  if ready {\n    start();", "  if ready {\n    warm_up();\n    start();");
/// let ladder = ladder::conservative();
/// let pasted = edit.run(&Pipeline::new(ladder.clone()), &file)?;
/// assert_eq!(pasted.output, "fn f() {\n  if ready {\n    warm_up();\n    start();\n\t}\n}\n");
///
/// let merged = edit.run(&Pipeline::new(ladder.with_merge(&ThreeWay)), &file)?;
/// assert_eq!(merged.output, "fn f() {\n\tif ready {\n\t\twarm_up();\n\t\tstart();\n\t}\n}\n");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ThreeWay;

impl Merge for ThreeWay {
    fn merge(&self, query: &Query<'_>, found: Span, new: &str) -> Result<Splice, Refusal> {
        let (haystack, old) = (query.text(), query.old());
        let merged =
            merge_while(haystack, found.range(), old, new, Run { is_needed: &|| !query.is_over(), ..Run::WHOLE });
        let merged = merged.map_err(|_| Refusal::Uncertain)?;
        let evidence = &merged.evidence;
        if !merged.findings.is_empty() || evidence.touched_found < LEAST_FOUND * evidence.touched {
            return Err(Refusal::Uncertain);
        }
        let (span, text) = narrowed(haystack, merged.span, merged.text);
        Ok(Splice { span: Span::new(span.start, span.end), text })
    }
}
