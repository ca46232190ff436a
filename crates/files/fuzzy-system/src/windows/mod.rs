//! Functions for Windows.

mod call;
mod files;
mod names;
mod paths;
mod process;

pub use files::*;
pub use names::{anchor, bytes_of, check_name, in_git, may_be_named, on_disk, path_of, plain};
pub(crate) use paths::storage_of;
pub use paths::*;
pub use process::*;
