//! Who reads a failure.

/// Where a failure is told. Each surface has names of its own for the same things, so that a next step that names one
/// depends on it.
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
    /// What a model does next where only a person can help.
    pub const ASK_THE_USER: &str = "Ask the user to run `fuzzy-edit checkpoint doctor`.";
}
