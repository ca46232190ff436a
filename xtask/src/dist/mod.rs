//! Makes what is released, and tries it out from where it is.
//!
//! The folder `dist` is flat: a file or several per artefact, and the sums of all of them.

mod binary;
mod npm;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::hex::hex;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, root};
use sha2::{Digest, Sha256};

use crate::build::Build;
use crate::needs::Need;
use crate::targets::{TARGETS, Target};

/// What the file of sums is called, as `sha256sum --check` reads it.
const SUMS: &str = "SHA256SUMS";

/// Makes what is released, into the folder `dist`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The artefacts to make; all of them when none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(ARTEFACTS.iter().map(|artefact| artefact.name)))]
    artefacts: Vec<String>,
    /// Install and use what is there, instead of making it.
    #[arg(long)]
    try_out: bool,
    /// Make the command for this system, and nothing else; may be given several times.
    #[arg(long = "target", value_name = "TARGET", conflicts_with_all = ["artefacts", "try_out"])]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(TARGETS.iter().map(|target| target.name)))]
    targets: Vec<String>,
}

/// Something that is released.
struct Artefact {
    name: &'static str,
    needs: &'static [Need],
    /// Tells its files in the folder from those of the others.
    is_ours: fn(&Path) -> bool,
    /// Makes it, and returns the files to be put there.
    make: fn(&Metadata, Build) -> Result<Vec<PathBuf>>,
    /// Installs its files where nothing of this tree is, and uses what is installed.
    try_out: fn(&[PathBuf], Build) -> Result<()>,
}

/// Everything that is released.
const ARTEFACTS: &[Artefact] = &[
    Artefact {
        name: "wheel",
        needs: &[Need::Python],
        is_ours: |file| file.extension().is_some_and(|extension| extension == "whl"),
        make: wheel::make,
        try_out: wheel::try_out,
    },
    Artefact {
        name: "npm",
        needs: &[Need::Node, Need::Npm, Need::WasmTarget],
        is_ours: npm::is_ours,
        make: npm::make,
        try_out: npm::try_out,
    },
    Artefact {
        name: "binary",
        needs: &[Need::Git, Need::WasmTarget],
        is_ours: |file| file.ends_with(binary::NAME),
        make: binary::make,
        try_out: binary::try_out,
    },
];

/// Makes the artefacts, or tries them out.
pub(crate) fn dist(arguments: &Arguments) -> Result<()> {
    let (metadata, folder) = (Metadata::load()?, root().join("dist"));
    if arguments.targets.is_empty() {
        return make_or_try(arguments, &metadata, Build::Shipped, &folder);
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in &arguments.targets {
        let (made, name) = Target::of(name)?.make(&metadata, Build::Shipped)?;
        copy(&made, &folder.join(name))?;
    }
    write_sums(&folder)
}

/// Makes everything unoptimised, beside the released files, and tries it out: optimising takes most of the time, and
/// changes nothing about how an artefact is put together, installed and used.
pub(crate) fn unoptimised(metadata: &Metadata) -> Result<()> {
    make_and_try(metadata, Build::Debug)
}

/// Makes everything as it is released, beside the released files, and tries it out.
pub(crate) fn optimised(metadata: &Metadata) -> Result<()> {
    make_and_try(metadata, Build::Shipped)
}

fn make_and_try(metadata: &Metadata, build: Build) -> Result<()> {
    let folder = metadata.target_dir.join("tried").join(build.folder());
    for try_out in [false, true] {
        let arguments = Arguments { artefacts: Vec::new(), try_out, targets: Vec::new() };
        make_or_try(&arguments, metadata, build, &folder)?;
    }
    Ok(())
}

fn make_or_try(arguments: &Arguments, metadata: &Metadata, build: Build, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut steps = Steps::new("artefacts");
    let names = &arguments.artefacts;
    for artefact in ARTEFACTS.iter().filter(|it| names.is_empty() || names.iter().any(|name| name == it.name)) {
        if arguments.try_out {
            steps.step(format!("{}, tried out", artefact.name), || try_out(artefact, build, folder));
        } else {
            steps.step(artefact.name, || put(artefact, metadata, build, folder));
        }
    }
    steps.finish()?;
    if arguments.try_out { check_sums(folder) } else { write_sums(folder) }
}

/// Makes an artefact and puts it in the place of its older files.
fn put(artefact: &Artefact, metadata: &Metadata, build: Build, folder: &Path) -> Result<()> {
    artefact.needs.iter().try_for_each(|need| need.provide())?;
    let made = (artefact.make)(metadata, build)?;
    for old in files_of(artefact, folder)? {
        fs::remove_file(old)?;
    }
    for file in made {
        let name = file.file_name().context("an artefact without a name")?;
        copy(&file, &folder.join(name))?;
    }
    Ok(())
}

fn copy(file: &Path, to: &Path) -> Result<()> {
    fs::copy(file, to).with_context(|| format!("cannot copy {}", file.display()))?;
    println!("{}: {} bytes", to.display(), fs::metadata(to)?.len());
    Ok(())
}

fn try_out(artefact: &Artefact, build: Build, folder: &Path) -> Result<()> {
    artefact.needs.iter().try_for_each(|need| need.provide())?;
    let files = files_of(artefact, folder)?;
    ensure!(!files.is_empty(), "there is none; `cargo xtask dist {}` makes it", artefact.name);
    (artefact.try_out)(&files, build)
}

fn files_of(artefact: &Artefact, folder: &Path) -> Result<Vec<PathBuf>> {
    let files = files(folder)?.into_iter();
    Ok(files.map(|(_, path)| path).filter(|path| (artefact.is_ours)(path)).collect())
}

/// Returns the files of the folder with their names, sorted by these; the sums are not among them.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(folder).context("cannot read the folder dist")?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SUMS {
            files.push((name, entry.path()));
        }
    }
    files.sort();
    Ok(files)
}

fn sums(folder: &Path) -> Result<String> {
    let mut sums = String::new();
    for (name, path) in files(folder)? {
        sums.extend([hex(&Sha256::digest(fs::read(path)?)).as_str(), "  ", &name, "\n"]);
    }
    Ok(sums)
}

fn write_sums(folder: &Path) -> Result<()> {
    let sums = sums(folder)?;
    print!("{sums}");
    fs::write(folder.join(SUMS), sums).context("cannot write the sums")
}

fn check_sums(folder: &Path) -> Result<()> {
    let written = fs::read_to_string(folder.join(SUMS)).context("cannot read the sums")?;
    ensure!(written == sums(folder)?, "{SUMS} is not of what is there");
    Ok(())
}
