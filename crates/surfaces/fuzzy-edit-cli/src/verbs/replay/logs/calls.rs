//! Calls of tools that read, write or edit one file: what each says about the texts of files, and the edits that it tried.

use serde_json::Value;

use super::sink::{NOT_RUN, Sink, Tried, UNKNOWN_SHAPE, is_refusal};
use super::texts::Texts;

/// A call of a tool that has ended.
pub(super) struct Call<'v> {
    pub(super) id: &'v str,
    pub(super) model: &'v str,
    pub(super) path: &'v str,
    /// The host's answer, if the call failed.
    pub(super) failure: Option<String>,
    pub(super) action: Action<'v>,
}

/// The action of a call on its file.
pub(super) enum Action<'v> {
    /// Shows the text, which is none if it is not the whole one.
    Read(Option<String>),
    /// Writes the whole text.
    Write(&'v str),
    /// Replaces texts.
    Edit(Edits<'v>),
    /// Changes the file in another way.
    Other,
}

/// The edits of a call, and the host's words about their file.
#[derive(Default)]
pub(super) struct Edits<'v> {
    /// Each old text, new text, and whether it replaces every occurrence.
    pub(super) list: Vec<(Option<&'v str>, Option<&'v str>, bool)>,
    /// The text of the file before.
    pub(super) before: Option<&'v str>,
    /// The text of the file after the edits.
    pub(super) after: Option<&'v str>,
    /// The diff of a single edit.
    pub(super) diff: Option<&'v str>,
    /// The texts of a single edit as the host used them.
    pub(super) used: Option<(&'v str, &'v str)>,
}

impl<'v> Edits<'v> {
    /// Reads one edit whose texts have these names, or a list of them in `edits`.
    pub(super) fn named(input: &'v Value, old: &str, new: &str, all: &str) -> Self {
        let listed = input["edits"].as_array().map_or(std::slice::from_ref(input), Vec::as_slice);
        let list = listed.iter().map(|edit| (edit[old].as_str(), edit[new].as_str(), edit[all] == true)).collect();
        Self { list, ..Self::default() }
    }
}

impl Sink<'_> {
    /// Passes on the edits of a call, and follows its change of the texts. `refusals` are the host's answers to an old text
    /// that does not occur, or occurs several times.
    pub(super) fn called(&mut self, call: Call<'_>, refusals: &[&str], texts: &mut Texts) {
        let Call { id, model, path, failure, action } = call;
        let has_landed = failure.is_none();
        match action {
            Action::Read(Some(text)) if has_landed => texts.put(path, text),
            Action::Write(text) if has_landed => texts.put(path, text),
            Action::Read(_) | Action::Write(_) => {}
            Action::Other => {
                texts.forget(path);
                self.leave_out(UNKNOWN_SHAPE);
            }
            Action::Edit(_) if failure.is_some_and(|answer| !is_refusal(&answer, refusals)) => self.leave_out(NOT_RUN),
            // If one edit of a list fails, the host applies none, and does not name the one that failed.
            Action::Edit(Edits { list, .. }) if !has_landed && list.len() > 1 => {
                self.leave_out("one of several edits failed");
            }
            Action::Edit(Edits { list, before, after, diff, used }) => {
                // The host knows the file better than the earlier calls: a shell command may have changed it.
                if let Some(before) = before {
                    texts.put(path, before);
                }
                for (old, new, replace_all) in list {
                    let (Some(old), Some(new)) = (old, new) else {
                        self.leave_out(UNKNOWN_SHAPE);
                        continue;
                    };
                    let content = texts.get(path);
                    self.tried(Tried { id, model, path, content, old, new, replace_all, has_landed });
                    if has_landed && diff.is_none() {
                        let (old, new) = used.unwrap_or((old, new));
                        texts.replaced(path, old, new, replace_all);
                    }
                }
                match (after, diff) {
                    (Some(after), _) if has_landed => texts.put(path, after),
                    (None, Some(diff)) if has_landed => texts.changed(path, diff),
                    _ => {}
                }
            }
        }
    }
}
