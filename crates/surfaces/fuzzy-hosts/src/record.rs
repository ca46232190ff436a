//! A line of the log of hooks.

use std::time::SystemTime;

use fuzzy_edit::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::Answer;
use crate::host::Host;
use crate::repair::{Base, Judged, Outcome};

/// One edit in a log of hooks.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct HookRecord {
    /// The time of the judgement, in milliseconds since 1970.
    pub time_ms: u64,
    /// The name of the host.
    pub host: String,
    /// The name of the model; empty if the host does not report it.
    pub model: String,
    /// The path as the model gave it.
    pub file_path: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The failure, if it was refused.
    pub code: Option<Code>,
    /// The text that the agent saw, as far as it decided the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
    /// Size of the text before the edit, in bytes of UTF-8.
    pub content_bytes: usize,
    /// Size of the old text, in bytes.
    pub old_bytes: usize,
    /// Size of the new text, in bytes.
    pub new_bytes: usize,
    /// Whether the edit replaces every occurrence.
    pub replace_all: bool,
    /// What the hook ignored in the settings of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored: Option<String>,
    /// The text before the edit. This field and the next two exist only if texts are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The old text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

impl Answer {
    /// Returns the records of the edits of a call in `host`; with `texts`, they contain the texts to repeat an edit.
    /// Each edit of a patch has the file as it was before the patch.
    #[must_use]
    pub fn records(&self, host: &Host, texts: bool) -> Vec<HookRecord> {
        let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let record = |judged: &Judged| HookRecord {
            time_ms: u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX),
            host: host.name.to_owned(),
            model: self.model.clone(),
            file_path: judged.path.to_string_lossy().into_owned(),
            outcome: judged.outcome,
            code: judged.code,
            base: judged.base,
            content_bytes: judged.content.len(),
            old_bytes: judged.old.len(),
            new_bytes: judged.new.len(),
            replace_all: judged.all,
            ignored: None,
            content: texts.then(|| judged.content.as_ref().to_owned()),
            old: texts.then(|| judged.old.clone()),
            new: texts.then(|| judged.new.clone()),
        };
        self.edits.iter().map(record).collect()
    }
}
