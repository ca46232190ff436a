//! A file that a command makes for the user. An existing file keeps its content until the new one is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use fuzzy_edit::{Code, Failure};
use tempfile::Builder;

/// The new content of the file at a path. Without [`OutputFile::finish`], that file remains as it was.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// The option that names the file.
    option: &'static str,
    content: File,
    /// The path at which the content appears; none if `content` is a device or a pipe with that path.
    path: Option<PathBuf>,
    /// The first error of a write: the content is not complete.
    error: Option<io::Error>,
}

impl OutputFile {
    /// Prepares the file at `path`, which `option` names. Its content has no name until it is complete, so a killed
    /// command leaves nothing.
    ///
    /// # Errors
    ///
    /// Returns `bad_input` if the file cannot be written, or is one of `inputs`.
    pub(crate) fn new(option: &'static str, path: &Path, inputs: &[PathBuf]) -> Result<Self, Box<Failure>> {
        let refused = |why: String| {
            let message = format!("{option}: `{}`: {why}", path.display());
            Box::new(Failure::bad_input(message, "Name a file that can be written."))
        };
        let real = fs::canonicalize(path).ok();
        if real.is_some() && inputs.iter().any(|input| fs::canonicalize(input).ok() == real) {
            return Err(refused("this command reads it".into()));
        }
        let prepared = match fs::metadata(path) {
            Ok(meta) if meta.is_file() => OpenOptions::new().append(true).open(path).and_then(|_| unnamed(path)),
            Ok(_) => OpenOptions::new().write(true).open(path).map(|file| (file, None)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => unnamed(path),
            Err(error) => Err(error),
        };
        let (content, path) = prepared.map_err(|error| refused(error.to_string()))?;
        Ok(Self { option, content, path, error: None })
    }

    /// Replaces the file at the path, which keeps its permissions.
    ///
    /// # Errors
    ///
    /// Returns `io` if the system cannot write it, or could not write a part of the content.
    pub(crate) fn finish(mut self) -> Result<(), Box<Failure>> {
        let written = self.error.take().map_or(Ok(()), Err).and_then(|()| self.replace());
        written.map_err(|error| {
            let message = format!("{}: {error}", self.option);
            Box::new(Failure::new(Code::Io, message, "Free some space, and repeat the run."))
        })
    }

    fn replace(&mut self) -> io::Result<()> {
        let Some(path) = &self.path else { return self.content.flush() };
        // As any program makes a file; a temporary one could be read by its owner only.
        let mut file = Builder::new().make_in(directory(path), |path| File::create_new(path))?;
        self.content.rewind()?;
        io::copy(&mut self.content, file.as_file_mut())?;
        if let Ok(meta) = fs::metadata(path) {
            file.as_file().set_permissions(meta.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.content.write(bytes).map_err(|error| {
            let copy = io::Error::new(error.kind(), error.to_string());
            self.error.get_or_insert(error);
            copy
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// Makes a file without a name on the disk of `path`, and follows links of `path`.
fn unnamed(path: &Path) -> io::Result<(File, Option<PathBuf>)> {
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            return Err(io::Error::new(io::ErrorKind::NotFound, "it is a link to a missing file"));
        }
        Err(_) => path.to_owned(),
    };
    Ok((tempfile::tempfile_in(directory(&real))?, Some(real)))
}

/// Returns the directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
