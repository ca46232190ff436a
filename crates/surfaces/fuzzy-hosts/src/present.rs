//! Finds hosts on this machine.

use std::path::PathBuf;

use crate::host::Host;
use crate::item::Site;

/// Returns the program that a shell finds by a name.
#[must_use]
pub fn on_path(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let names = [program.to_owned(), format!("{program}.exe"), format!("{program}.cmd")];
    std::env::split_paths(&paths)
        .flat_map(|directory| names.clone().map(|name| directory.join(name)))
        .find(|path| path.is_file())
}

impl Host {
    /// Returns whether a shell finds a program of the host.
    #[must_use]
    pub fn is_on_path(&self) -> bool {
        self.programs.iter().any(|program| on_path(program).is_some())
    }

    /// Returns whether the host is probably installed: its program is on the path, or its directory of settings exists.
    #[must_use]
    pub fn is_present(&self, site: &Site) -> bool {
        self.is_on_path() || self.directories.iter().any(|directory| site.base().join(directory).is_dir())
    }
}
