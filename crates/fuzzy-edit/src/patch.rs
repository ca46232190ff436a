//! Turns a patch into operations on files.

use std::path::Path;

use fuzzy_patch::ParseError;

use crate::{Code, Failure, Operation, Workspace, operations_of};

impl Workspace {
    /// Reads a patch and returns the operations that it asks for. `target` is the file of blocks and hunks that name none;
    /// a line above a block is a name also if it does not look like one, and a file is called so.
    ///
    /// # Errors
    ///
    /// [`Code::Parse`] if the patch cannot be read.
    pub fn read_patch(&self, text: &str, target: Option<&str>) -> Result<Vec<Operation>, Box<Failure>> {
        let exists = |name: &str| self.has_file(Path::new(name));
        let patch = fuzzy_patch::parse_where(text, target, &exists).map_err(|error| failure(&error))?;
        Ok(operations_of(&patch))
    }
}

fn failure(error: &ParseError) -> Box<Failure> {
    Box::new(Failure::new(Code::Parse, error.to_string(), error.next_step()))
}
