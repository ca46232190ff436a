//! Reads patches as operations on the files of a workspace.

use std::path::Path;

use fuzzy_patch::Patch;

use crate::{Code, Failure, Operation, PatchOptions, Workspace};

impl Workspace {
    /// Reads a patch and returns its operations. `target` is the file of blocks and hunks that name none; an unusual
    /// line above a block is also a name if a file has that name.
    ///
    /// # Errors
    ///
    /// Returns the failures of [`read_patch_with`](Self::read_patch_with).
    pub fn read_patch(&self, text: &str, target: Option<&str>) -> Result<Vec<Operation>, Box<Failure>> {
        self.read_patch_with(text, &PatchOptions { target, ..PatchOptions::default() })
    }

    /// Reads a patch with `options`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`PatchOptions::read`], and [`Code::OutsideRoot`] if the files belong to another root, which
    /// the failure names.
    pub fn read_patch_with(&self, text: &str, options: &PatchOptions<'_>) -> Result<Vec<Operation>, Box<Failure>> {
        let patch = options.read(text, &|name| self.has_file(Path::new(name)))?;
        self.check_root(&patch)?;
        Ok(patch.operations())
    }

    /// Returns a failure that suggests a root above this one, if all files of the patch are below that and none below
    /// this.
    fn check_root(&self, patch: &Patch) -> Result<(), Box<Failure>> {
        let Some(root) = &self.root else { return Ok(()) };
        let mut names = patch.needed().peekable();
        if names.peek().is_none() || names.any(|name| self.place(Path::new(name)).is_ok_and(|place| place.is_file())) {
            return Ok(());
        }
        let mut above = root.path().ancestors().skip(1);
        let above =
            above.find(|above| patch.needed().all(|name| Path::new(name).is_relative() && above.join(name).is_file()));
        let Some(above) = above else { return Ok(()) };
        let (root, above) = (root.path().display(), above.display());
        let message = format!("the files of the patch are not below `{root}`, but below `{above}`");
        Err(Box::new(Failure::new(Code::OutsideRoot, message, format!("Use `--root {above}` to edit these files."))))
    }
}
