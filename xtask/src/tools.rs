//! Installs the programs of `xtask/tools.txt`, each in its pinned version and checked by its hash.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::needs;
use crate::python::Environment;

/// The pinned programs: Python packages, one a line.
const LIST: &str = "xtask/tools.txt";

/// Returns the path of a program of the list, after installing it if necessary.
pub(crate) fn program(metadata: &Metadata, name: &str) -> Result<PathBuf> {
    Ok(programs(metadata, &[name])?.join(name))
}

/// Installs those of these programs that are missing or have another version, and returns their folder.
///
/// A subcommand of cargo is called directly: `cargo-hack hack`, `cargo-deny check`.
pub(crate) fn programs(metadata: &Metadata, names: &[&str]) -> Result<PathBuf> {
    let list = fs::read_to_string(root().join(LIST)).with_context(|| format!("cannot read {LIST}"))?;
    let wanted: Vec<&str> = names.iter().map(|name| line(&list, name)).collect::<Result<_>>()?;
    let folder = metadata.target_dir.join("tools");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // Another process waits here until everything is installed; the lock ends with this function, or with the process.
    let lock = File::create(folder.with_extension("lock")).context("cannot make the lock of the programs")?;
    lock.lock().context("cannot lock the folder of the programs")?;
    needs::PYTHON.provide()?;
    let environment = Environment::at(&folder)?;
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, wanted.join("\n")).context("cannot write the list of programs")?;
    // Pip skips installed versions without network. The programs are not Python code: any version of Python can install
    // them.
    let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]);
    pip.args(["--ignore-requires-python", "--requirement"]).arg(&requirements);
    run(pip).with_context(|| format!("cannot install {}: pip needs access to a package index", names.join(", ")))?;
    Ok(environment.programs())
}

/// Returns the line of the list for a program.
fn line<'l>(list: &'l str, program: &str) -> Result<&'l str> {
    let is_for = |line: &&str| {
        let package = line.split("==").next().unwrap_or(line);
        package.trim_start_matches("astral-dev-toolchain-").trim_end_matches("-bin") == program
    };
    match list.lines().find(is_for) {
        Some(line) => Ok(line),
        None => bail!("{LIST} has no program {program}: add a line with its version and hashes"),
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_program_has_the_line_of_its_package() {
        let list =
            "# typos\nastral-dev-toolchain-cargo-deny==1.0 --hash=a\nlychee-bin==2.0 --hash=b\ntypos==3.0 --hash=c\n";
        for (program, version) in [("cargo-deny", "1.0"), ("lychee", "2.0"), ("typos", "3.0")] {
            assert!(line(list, program).unwrap().contains(version), "{program}");
        }
        assert!(line(list, "cargo").unwrap_err().to_string().contains("no program cargo"));
    }
}
