//! One file of settings: reads it, and checks every value.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use fuzzy_edit::{Encoding, Failure, Root, TextFile};
use fuzzy_pipeline::ladder;
use serde::Deserialize;

/// The largest file to read, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// The settings of a file. Each has the name of its option.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Values {
    pub(crate) ladder: Option<String>,
    pub(crate) min_confidence: Option<f64>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) root: Option<PathBuf>,
    pub(crate) encoding: Option<String>,
    pub(crate) log: Option<PathBuf>,
    pub(crate) log_text: Option<bool>,
    /// Whether hooks remember what agents were shown.
    pub(crate) seen: Option<Switch>,
    /// Whether files are captured before commands of shells.
    pub(crate) steps: Option<Steps>,
    /// The longest wait for that, in milliseconds.
    pub(crate) step_wait: Option<u64>,
    /// Ignored and large files of which every step keeps copies.
    pub(crate) keep: Option<Vec<String>>,
    pub(crate) database: Option<String>,
    pub(crate) store: Option<PathBuf>,
}

/// A setting that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Switch {
    On,
    Off,
}

/// When steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Steps {
    Off,
    Shell,
}

/// The longest `step-wait`, in milliseconds: hosts wait for ten seconds.
const LONGEST_STEP_WAIT: u64 = 8000;

impl Values {
    /// Reads the user's file; without a file, there are no settings.
    ///
    /// # Errors
    ///
    /// Returns the failure of a file that cannot be read, or has an unknown key or a value that is not permitted.
    pub(super) fn of_user(path: &Path) -> Result<Self, Box<Failure>> {
        if path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(Self::default());
        }
        let values = Self::read(path)?;
        values.check().map_err(|problem| bad(path, &problem, "Correct the file."))?;
        for (key, named) in [("root", &values.root), ("log", &values.log), ("store", &values.store)] {
            if named.as_ref().is_some_and(|named| !named.is_absolute()) {
                return Err(bad(path, &format!("`{key}` is not absolute"), "Write a path that begins with /."));
            }
        }
        let root = values.root.as_deref().map(|root| directory(path, root)).transpose()?;
        Ok(Self { root, ..values })
    }

    /// Reads a project's file. Only what makes the command stricter is kept; the failure names everything else.
    ///
    /// # Errors
    ///
    /// Returns the failure of a file that cannot be read, or has an unknown key or a value that is not permitted.
    pub(super) fn of_project(path: &Path) -> Result<(Self, Option<Box<Failure>>), Box<Failure>> {
        // A link may lead to a file of the user, and an error about its contents would reveal them.
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(bad(path, "it is a symbolic link", "Replace the link by a file."));
        }
        let values = Self::read(path)?;
        values.check().map_err(|problem| bad(path, &problem, "Correct the file."))?;
        let above = path.parent().unwrap_or(path);
        let root = values.root.as_deref().map(|root| directory(path, &above.join(root))).transpose()?;
        let above = directory(path, above)?;
        if let Some(root) = root.as_ref().filter(|root| !root.starts_with(&above)) {
            let problem = format!("`root` is `{}`, which is outside the project", root.display());
            return Err(bad(path, &problem, "Name a directory of the project."));
        }
        let refused = [
            ("ladder", values.ladder.is_some()),
            ("encoding", values.encoding.is_some()),
            ("log", values.log.is_some()),
            ("log-text", values.log_text.is_some()),
            ("database", values.database.is_some()),
            ("store", values.store.is_some()),
            ("steps", values.steps.is_some()),
            ("step-wait", values.step_wait.is_some()),
        ];
        let refused: Vec<String> =
            refused.iter().filter(|(_, is_set)| *is_set).map(|(key, _)| format!("`{key}`")).collect();
        let failure = (!refused.is_empty()).then(|| {
            let problem = format!("the file of a project cannot set {}", refused.join(", "));
            let own = user_file().map_or_else(String::new, |file| format!(" `{}`", file.display()));
            bad(path, &problem, &format!("Move these keys to your own file{own}, or remove them."))
        });
        // `keep` is only shown.
        let Self { min_confidence, timeout_ms, seen, keep, .. } = values;
        Ok((Self { min_confidence, timeout_ms, root, seen, keep, ..Self::default() }, failure))
    }

    fn read(path: &Path) -> Result<Self, Box<Failure>> {
        let file = TextFile::read(path, MAX_BYTES)
            .map_err(|error| bad(path, &error.to_string(), "Make it a text file of at most 64 KiB, or remove it."))?;
        if file.encoding() != Encoding::UTF_8 || file.is_encoding_detected() {
            return Err(bad(path, "it is not UTF-8", "Save the file as UTF-8."));
        }
        toml::from_str(file.text()).map_err(|error| {
            let before = error.span().and_then(|span| file.text().get(..span.start));
            let line = before.map_or_else(String::new, |before| format!("line {}: ", before.matches('\n').count() + 1));
            // The whole message would quote the line.
            let message = error.message().replace('\n', " ");
            bad(path, &format!("{line}{message}"), "`fuzzy-edit config --help` lists the keys and their values.")
        })
    }

    /// Returns the problem of the first value that its option would refuse.
    fn check(&self) -> Result<(), String> {
        if let Some(name) = &self.ladder {
            ladder::named(name).map_err(|error| format!("`ladder`: {error}"))?;
        }
        if self.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err("`min-confidence` is not a number from 0 to 1".to_owned());
        }
        if self.step_wait.is_some_and(|wait| wait > LONGEST_STEP_WAIT) {
            return Err("`step-wait` is more than 8000 milliseconds".to_owned());
        }
        let is_inside = |path: &str| {
            let path = Path::new(path);
            !path.as_os_str().is_empty()
                && path.components().all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        if let Some(path) = self.keep.iter().flatten().find(|path| !is_inside(path)) {
            return Err(format!("`keep`: `{}` is no path below a project", path.escape_debug()));
        }
        if let Some(name) = &self.encoding {
            Encoding::from_option(name).map_err(|error| format!("`encoding`: {error}"))?;
        }
        Ok(())
    }
}

/// Returns the path of the user's file, which need not exist; `None` without a home directory.
pub(crate) fn user_file() -> Option<PathBuf> {
    Some(etcetera::base_strategy::Xdg::new().ok()?.config_dir().join("fuzzy-edit").join("config.toml"))
}

/// Returns the directory that `root` names, without symbolic links.
fn directory(path: &Path, root: &Path) -> Result<PathBuf, Box<Failure>> {
    match Root::open(root) {
        Ok(root) => Ok(root.path().to_owned()),
        Err(error) => Err(bad(path, &format!("`root`: {error}"), "Name a directory that exists.")),
    }
}

fn bad(path: &Path, problem: &str, next_step: &str) -> Box<Failure> {
    Box::new(Failure::bad_input(format!("`{}`: {problem}", path.display()), next_step))
}
