//! Writes changed settings atomically.

use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

use fuzzy_safe_write::{Batch, Error, Locks, Mode, Root, State, Step};

use super::change::{FileChange, SettingsError};
use super::changes::Changes;

/// The longest wait for another process that writes the same settings.
const PATIENCE: Duration = Duration::from_secs(5);

impl Changes<'_> {
    /// Writes all files or none, after a record of each change and a copy of each file that we did not write last. Links
    /// are followed.
    ///
    /// # Errors
    ///
    /// [`SettingsError`], such as [`SettingsError::Changed`] after a concurrent change of a file; no file is changed then.
    pub fn write(&self, state: &State) -> Result<(), SettingsError> {
        let files: Vec<&FileChange> = self.files().collect();
        let unwritable = |path: &Path, source| SettingsError::Unwritable { path: path.to_owned(), source };
        let mut steps = Vec::with_capacity(files.len());
        for file in &files {
            let place = Root::everything().and_then(|root| root.place_of_named(&file.path));
            let place = place.map_err(|error| unwritable(&file.path, error))?;
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
            .take(state, targets, Instant::now().checked_add(PATIENCE), || Ok::<(), Error>(()))
            .map_err(|(path, error)| unwritable(&path, error))?;
        // A killed process leaves a record of entries that do not exist, never an entry of ours without a record.
        let mut former = Vec::new();
        let mut kept = Ok(());
        for (records, file) in self.records.iter().flat_map(|records| files.iter().map(move |file| (records, file))) {
            match records.keep(file) {
                Ok(record) => former.push((*records, file, record)),
                Err(source) => {
                    let error = Error::State { path: records.directory.clone(), source };
                    kept = kept.and(Err(unwritable(&file.path, error)));
                }
            }
        }
        let written = kept.and_then(|()| {
            // A temporary file that remains is no failure.
            Batch::new(&steps, false).write(state, self.site.base(), None).map(drop).map_err(|(index, error)| {
                let path = &files[index].path;
                match error {
                    Error::Stale { .. } | Error::Exists { .. } => SettingsError::Changed { path: path.clone() },
                    error => unwritable(path, error),
                }
            })
        });
        if written.is_err() {
            for (records, file, record) in former {
                records.put_back(&file.path, record.as_deref());
            }
        }
        written
    }
}
