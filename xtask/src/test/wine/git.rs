//! Builds a git for Windows from Debian's source, because no package registry contains one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::run::run;

use crate::needs::Need;

/// The parts of git that captures and restores do not need: network, scripts, translations.
const WITHOUT: &[&str] = &[
    "NO_OPENSSL=1",
    "NO_CURL=1",
    "NO_EXPAT=1",
    "NO_GETTEXT=1",
    "NO_PERL=1",
    "NO_PYTHON=1",
    "NO_TCLTK=1",
    "NO_ICONV=1",
    "USE_LIBPCRE=",
    "HAVE_LIBCHARSET_H=",
];

/// Returns the folder with `git.exe`, after building it if it is missing.
pub(super) fn provide(folder: &Path) -> Result<PathBuf> {
    let bin = folder.join("bin");
    if bin.join("git.exe").is_file() {
        return Ok(bin);
    }
    Need::MingwZlib.provide()?;
    let (lists, headers) = (folder.join("lists"), folder.join("headers"));
    for made in [&bin, &headers, &lists.join("partial")] {
        fs::create_dir_all(made).with_context(|| format!("cannot make {}", made.display()))?;
    }
    // The names of headers in the source differ in letter case from those of the compiler.
    for name in ["NTSecAPI.h", "Psapi.h", "tlHelp32.h"] {
        fs::write(headers.join(name), format!("#include <{}>\n", name.to_ascii_lowercase()))?;
    }
    let sources = folder.join("sources.list");
    fs::write(&sources, "deb-src http://deb.debian.org/debian bookworm main\n")?;
    for arguments in [&["update", "-qq"][..], &["source", "-qq", "--download-only", "git"]] {
        let mut apt = Command::new("apt-get");
        apt.arg("-o").arg(format!("Dir::Etc::sourcelist={}", sources.display()));
        apt.arg("-o").arg(format!("Dir::State::lists={}", lists.display()));
        apt.args(["-o", "Dir::Etc::sourceparts=/dev/null"]).args(arguments).current_dir(folder);
        run(apt)?;
    }
    let mut unpack = Command::new("sh");
    unpack.args(["-c", "mkdir -p source && tar xf git_*.orig.tar.xz -C source --strip-components 1"]);
    unpack.current_dir(folder);
    run(unpack)?;
    // A pipe has no name in Wine, but always has one in Windows.
    let console = folder.join("source/compat/winansi.c");
    let text = fs::read_to_string(&console)?.replace("\tname[nameinfo", "\tif (!name)\n\t\treturn;\n\tname[nameinfo");
    fs::write(&console, text)?;
    let mut make = Command::new("make");
    make.args(["-s", "-j2", "uname_S=MINGW", "MSYSTEM=MINGW64", "CFLAGS=-O1", "LDFLAGS=-static"]).args(WITHOUT);
    for (variable, program) in [("CC", "gcc"), ("AR", "ar"), ("RC", "windres -O coff")] {
        make.arg(format!("{variable}=x86_64-w64-mingw32-{program}"));
    }
    make.arg("git.exe").env("C_INCLUDE_PATH", headers).current_dir(folder.join("source"));
    run(make)?;
    fs::copy(folder.join("source/git.exe"), bin.join("git.exe"))?;
    Ok(bin)
}
