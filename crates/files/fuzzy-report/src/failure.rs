//! The failure that every interface returns.

use std::fmt;

use fuzzy_core::report::Proposal;
use fuzzy_core::{Adjustment, LineRange, Match};
use serde::Serialize;

use crate::difference::difference;
use crate::range_end::RangeEnd;
use crate::{Code, ContestedLines, Status};

/// A rejected or failed request: a code, a message and the next step. `D` adds the details, by default those of an
/// edit.
///
/// # Examples
///
/// ```
/// use fuzzy_report::{Code, Failure};
///
/// let failure: Failure = Failure::new(Code::NotFound, "the old text is not there", "Read the file again.").about("a.py");
/// assert_eq!(failure.to_string(), "not_found: `a.py`: the old text is not there. Read the file again.");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Failure{D}"))]
#[non_exhaustive]
pub struct Failure<D = OfEdit> {
    /// Always [`Status::Failed`].
    pub status: Status,
    /// The one word that names the failure.
    pub code: Code,
    /// The problem, in words.
    pub message: String,
    /// The next step of the caller, in one sentence.
    pub next_step: String,
    /// The details.
    #[serde(flatten)]
    pub details: D,
}

/// The details of a failed edit, which leaves its file unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OfEdit {
    /// The path as the caller gave it, if the failure is about a file.
    pub file_path: Option<String>,
    /// The rule that rejected the edit, such as `different-value`: the name of its file in a folder `rules` of the
    /// engine; a name that begins with `law-` has its file in `laws`. None if no rule rejected the edit, and from
    /// ladders without named rules.
    pub rule: Option<&'static str>,
    /// The lines that are most similar to the old text.
    pub nearest: Option<NearestLines>,
    /// The old lines that the placeholder in the new text would delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// The first hundred places that the old text matches.
    pub ambiguous_at: Vec<LineRange>,
    /// The number of places that the old text matches, overlapping ones included; counting stops at 100,000.
    pub count: usize,
    /// The first hundred ranges that an edit from `first` to `last` may mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<RangeEnd>,
    /// The first five places where the file and the new text both differ from the old text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ContestedLines>,
    /// The edit that the caller probably intended, to check and to resend.
    pub proposal: Option<Proposal>,
    /// The setting with which the edit is not refused for this reason. Each interface has its own words for
    /// it, so that it is no part of the JSON.
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    /// Whether the message names the file.
    #[serde(skip)]
    pub(crate) is_named: bool,
    /// The strategies that did not find the old text.
    pub tried: Vec<&'static str>,
    /// For an edit that failed before in the same session: the code of this failure.
    pub cause: Option<Code>,
    /// The number of failures of this same edit in the session, this one included; 0 without a session.
    pub repeats: usize,
}

/// A setting of the caller with which an edit is not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A higher limit of bytes.
    SizeLimit,
    /// A longer time limit.
    TimeLimit,
    /// The name of the file's encoding.
    Encoding,
    /// Writing a file with several hard links in place.
    InPlace,
    /// Edits in directories of git.
    Git,
    /// Another root.
    Root,
    /// The replacement of every place.
    AllPlaces,
    /// The text of the first of the lines that are named by numbers.
    FirstLine,
}

/// The details of one kind of failure.
pub trait Details {
    /// Returns the file that the failure names before its message.
    fn file_path(&self) -> Option<&str> {
        None
    }
}

impl Details for OfEdit {
    fn file_path(&self) -> Option<&str> {
        self.file_path.as_deref().filter(|_| !self.is_named)
    }
}

/// The interface that reports a failure. Each interface has its own names for commands and options, which next steps
/// use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The command line, for people.
    Command,
    /// The tools of the MCP server, for models.
    Tools,
    /// The HTTP server, for programs.
    Server,
}

impl Surface {
    /// The next step for a model if only the user can help.
    pub const ASK_THE_USER: &str = "Ask the user to run `fuzzy-edit checkpoint doctor`.";
}

/// The lines that are most similar to an old text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NearestLines {
    /// The lines that the ladder compared; otherwise as many lines as the old text has.
    pub lines: LineRange,
    /// The similarity of the old text and these lines, 0 to 1.
    pub similarity: f64,
    /// The diff from the old text (`-`) to these lines (`+`), which are shown as the file has them, so that they can be
    /// sent; long diffs and lines over 240 characters are cut.
    pub diff: String,
}

impl<D: Default> Failure<D> {
    /// Makes a failure without details.
    #[must_use]
    pub fn of(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let (message, next_step) = (message.into(), next_step.into());
        Self { status: Status::Failed, code, message, next_step, details: D::default() }
    }
}

impl Failure {
    /// Makes a failure of an edit for a reason outside the engine's search.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::of(code, message, next_step)
    }

    /// Makes a failure of a request with the wrong form.
    #[must_use]
    pub fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message, next_step)
    }

    /// Sets the file that the failure is about.
    #[must_use]
    pub fn about(mut self, file_path: impl Into<String>) -> Self {
        self.details.file_path = Some(file_path.into());
        self
    }

    /// Says that the message names the file, which is then not named before it.
    #[must_use]
    pub fn naming_file(mut self) -> Self {
        self.details.is_named = true;
        self
    }

    /// Sets the places that the failure is about, and their number `count`, which may be larger.
    #[must_use]
    pub fn at(mut self, lines: Vec<LineRange>, count: usize) -> Self {
        (self.details.ambiguous_at, self.details.count) = (lines, count);
        self
    }

    /// Sets the setting with which the edit is not refused.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<Option<Remedy>>) -> Self {
        self.details.remedy = remedy.into();
        self
    }

    /// Makes the failure of a search that took too long.
    #[must_use]
    pub fn out_of_time() -> Self {
        Self::new(
            Code::Timeout,
            "the search took longer than the time limit",
            "Give a shorter or more specific old text, or raise the time limit.",
        )
        .with_remedy(Remedy::TimeLimit)
    }
}

impl<D: Details> fmt::Display for Failure<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        if let Some(path) = self.details.file_path() {
            write!(f, "`{path}`: ")?;
        }
        write!(f, "{}. {}", self.message, self.next_step)
    }
}

impl<D: Details + fmt::Debug> std::error::Error for Failure<D> {}

/// Returns a note for the caller: how the text of the place differs from the old text, and a line about the new text if
/// it was adjusted.
#[must_use]
pub fn note(found: &Match, old: &str, place: &str) -> Option<String> {
    let differs = if found.is_exact() { None } else { difference("the old text", old, place) };
    let lines: Vec<String> = differs.into_iter().chain(found.adjustment.map(adjusted)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns the difference between the given new text and the one that lands. The names of the two texts are those of
/// every interface.
fn adjusted(adjustment: Adjustment) -> String {
    match adjustment {
        Adjustment::LineEndings => "the line endings are those of the file",
        Adjustment::Indentation => "lines of the new text got the indentation of the place",
        Adjustment::RestOfLine => "the rest of the line is written once, although the new text repeats it",
        Adjustment::LineBreak => "the line break at the end of the old text is kept, although the new text lacks it",
        Adjustment::CodePage => "characters that a terminal showed in a wrong code page were restored",
    }
    .to_owned()
}
