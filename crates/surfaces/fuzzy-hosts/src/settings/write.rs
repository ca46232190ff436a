//! Writes changed settings atomically.

use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

use fuzzy_safe_write::{Batch, Locks, Mode, Root, State, Step};

use super::change::{FileChange, SettingsError};
use super::changes::Changes;

/// The longest wait for another process that writes the same settings.
const PATIENCE: Duration = Duration::from_secs(5);

impl Changes<'_> {
    /// Writes all files or none, and stores the text of each before the change. Links are followed. A concurrent change
    /// of a file is an error.
    ///
    /// # Errors
    ///
    /// [`SettingsError`]; no file is changed then.
    pub fn write(&self, state: &State) -> Result<(), SettingsError> {
        let files: Vec<&FileChange> = self.files().collect();
        let unwritable = |path: &Path, why: String| SettingsError::Unwritable { path: path.to_owned(), why };
        let mut steps = Vec::with_capacity(files.len());
        for file in &files {
            let place = Root::everything().and_then(|root| root.place_of_named(&file.path));
            let place = place.map_err(|error| unwritable(&file.path, error.to_string()))?;
            steps.push(Step {
                path: file.path.clone(),
                place,
                before: file.before.as_deref().map(|text| Cow::Borrowed(text.as_bytes())),
                after: file.after.as_deref().map(|text| Cow::Borrowed(text.as_bytes())),
                attributes: None,
                mode: if file.executable { Mode::Executable(true) } else { Mode::Any },
                directories: file.directories,
            });
        }
        let mut locks = Locks::default();
        let targets = steps.iter().map(|step| step.place.target());
        locks
            .take(state, targets, Instant::now().checked_add(PATIENCE), || Ok::<(), fuzzy_safe_write::Error>(()))
            .map_err(|(path, error)| unwritable(&path, error.to_string()))?;
        Batch::new(&steps, false)
            .write(state, self.site.base(), None)
            .map_err(|(index, error)| unwritable(&files[index].path, error.to_string()))?;
        if let Some(records) = self.records {
            for file in files {
                records.keep(file).map_err(|error| unwritable(&file.path, error.to_string()))?;
            }
        }
        Ok(())
    }
}
