//! Stops whole-file writes that would lose text: of others, that the agent has not seen, or its own, behind a comment that
//! stands for lines.

use fuzzy_safe_write::sha256_of;

use crate::event::Event;
use crate::repair::{self, Input, RepairOptions, Written};
use crate::view::View;

impl Event<'_> {
    /// Returns why a whole-file write is stopped, for the model. A write over lines that the agent has not seen is stopped
    /// once: the same call may run then. A write with a comment in the place of lines is always stopped.
    pub(crate) fn stop(&self, input: Input, options: &RepairOptions) -> Option<String> {
        let (name, written) = repair::written(input).pop()?;
        let Written::Whole(new) = written else { return None };
        let path = self.directory().join(&name);
        let now = repair::text_of(&path).filter(|now| options.permits(&path) && *now != new)?;
        if let Some(why) = repair::placeholder(&now, &new, options) {
            return Some(format!("`{name}` was not written: {why}. Write the whole file, or edit the changed lines."));
        }
        let (views, viewer) = options.views().zip(self.viewer())?;
        let view = views.get(self.host.name, Some(&viewer), &path);
        let why = unseen(view.as_ref(), &now)?;
        let call = sha256_of([path.as_os_str().as_encoded_bytes(), now.as_bytes(), new.as_bytes()].into_iter());
        let is_first = views.is_first(&viewer, &call).unwrap_or(false);
        is_first.then(|| {
            format!("`{name}` was not written: {why}\nRead the file first. The same call again overwrites these lines.")
        })
    }
}

/// Returns the lines of a file that an agent has not seen, in words; none if it has seen all.
fn unseen(view: Option<&View>, now: &str) -> Option<String> {
    let count = now.lines().count();
    let Some(view) = view else { return Some(format!("it has {count} lines that you have not read.")) };
    let whole = view.whole();
    if whole.as_deref() == Some(now) {
        return None;
    }
    let Some(seen) = whole else {
        let line = view.first_unseen(now)?;
        return Some(format!("you have not read all of its {count} lines, such as line {}.", line + 1));
    };
    let at = seen.split('\n').zip(now.split('\n')).take_while(|(seen, now)| seen == now).count();
    let line = |text: &str| text.split('\n').nth(at).unwrap_or_default().to_owned();
    Some(format!("it has changed since you read it, from line {}:\n- {}\n+ {}", at + 1, line(&seen), line(now)))
}
