//! Makes the artefacts of a release, and tests them from their folder.
//!
//! The folder `dist` is flat: one or more files per artefact, and the sums of all files.

mod archive;
mod binary;
mod installers;
mod made;
mod notices;
mod npm;
mod registry;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::hex::hex;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, root};
use sha2::{Digest, Sha256};

use crate::build::Build;
use crate::emulator::Emulator;
use crate::needs::{self, Need};
use crate::targets::{TARGETS, Target};
use made::{Made, SUMS, files};

/// Makes the artefacts of a release in the folder `dist`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The artefacts to make; default: all.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(ARTEFACTS.iter().map(|artefact| artefact.name)))]
    artefacts: Vec<String>,
    /// Install and run the artefacts for this machine instead of making them.
    #[arg(long)]
    try_out: bool,
    /// Make the artefacts for this system, in addition to existing ones; may be given several times.
    #[arg(long = "target", value_name = "TARGET", conflicts_with = "try_out")]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(TARGETS.iter().map(|target| target.name)))]
    targets: Vec<String>,
    /// Make the artefacts for every system.
    #[arg(long, conflicts_with_all = ["try_out", "targets"])]
    all_targets: bool,
    /// Also make the scripts and manifests that install from this address: the folder of a release, without a final
    /// slash.
    #[arg(long, value_name = "URL", conflicts_with = "try_out")]
    from: Option<String>,
}

/// A kind of released file.
struct Artefact {
    name: &'static str,
    needs: &'static [Need],
    /// Returns whether a file in the folder belongs to this artefact.
    is_ours: fn(&Path) -> bool,
    /// Makes the artefact for a system, and returns the files for the folder.
    make: fn(&Made) -> Result<Vec<PathBuf>>,
    /// Installs the artefact from the folder, outside this repository, and uses the installed files.
    try_out: fn(&Path, Build) -> Result<()>,
    /// Returns whether a file of this name is for a system.
    is_for: fn(&str, &Target) -> bool,
    /// Installs and uses the file for another system in an emulator.
    emulate: fn(&Path, &Target, &Emulator) -> Result<()>,
}

/// Every artefact of a release.
const ARTEFACTS: &[Artefact] = &[
    Artefact {
        name: "archive",
        needs: &[needs::PYTHON, needs::GIT, needs::WASM_TARGET],
        is_ours: archive::is_ours,
        make: archive::make,
        try_out: archive::try_out,
        is_for: archive::is_for,
        emulate: archive::emulate,
    },
    Artefact {
        name: "wheel",
        needs: &[needs::PYTHON, needs::WASM_TARGET],
        is_ours: wheel::is_ours,
        make: wheel::make,
        try_out: wheel::try_out,
        is_for: wheel::is_for,
        emulate: wheel::emulate,
    },
    Artefact {
        name: "npm",
        needs: &[needs::NODE, needs::NPM, needs::WASM_TARGET],
        is_ours: npm::is_ours,
        make: npm::make,
        try_out: npm::try_out,
        is_for: npm::is_for,
        emulate: npm::emulate,
    },
];

/// Makes the artefacts, or tests them.
pub(crate) fn dist(arguments: &Arguments) -> Result<()> {
    let (metadata, folder) = (Metadata::load()?, root().join("dist"));
    make_or_try(arguments, &metadata, Build::Shipped, &folder)
}

/// Makes and tests unoptimised artefacts in a separate folder. Optimising takes most of the time, and does not affect
/// the packaging, the installation or the use of an artefact.
pub(crate) fn unoptimised(metadata: &Metadata) -> Result<()> {
    make_and_try(metadata, Build::Debug)
}

/// Makes and tests the release artefacts in a separate folder.
pub(crate) fn optimised(metadata: &Metadata) -> Result<()> {
    make_and_try(metadata, Build::Shipped)
}

fn make_and_try(metadata: &Metadata, build: Build) -> Result<()> {
    let folder = metadata.target_dir.join("tried").join(build.folder());
    for try_out in [false, true] {
        let arguments = Arguments { artefacts: vec![], try_out, targets: vec![], all_targets: false, from: None };
        make_or_try(&arguments, metadata, build, &folder)?;
    }
    Ok(())
}

fn make_or_try(arguments: &Arguments, metadata: &Metadata, build: Build, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let targets: Vec<&Target> = match &arguments.targets[..] {
        [] if arguments.all_targets => TARGETS.iter().collect(),
        [] => vec![Target::here()?],
        names => names.iter().map(|name| Target::of(name)).collect::<Result<_>>()?,
    };
    let mut steps = Steps::new("artefacts");
    let names = &arguments.artefacts;
    for artefact in ARTEFACTS.iter().filter(|it| names.is_empty() || names.iter().any(|name| name == it.name)) {
        if arguments.try_out {
            steps.step(format!("{}, tried out", artefact.name), || {
                artefact.needs.iter().try_for_each(Need::provide)?;
                (artefact.try_out)(folder, build)
            });
            emulate(artefact, folder, metadata, &mut steps)?;
            continue;
        }
        if arguments.targets.is_empty() {
            remove(artefact, folder)?;
        }
        for target in &targets {
            let made = Made { metadata, build, target };
            steps.step(format!("{} for {}", artefact.name, target.name), || put(artefact, &made, folder));
        }
    }
    steps.finish()?;
    if arguments.try_out {
        return check_sums(folder);
    }
    write_sums(folder)?;
    if let Some(address) = &arguments.from {
        installers::make(folder, address)?;
        write_sums(folder)?;
    }
    print!("{}", sums(folder)?);
    Ok(())
}

/// Tries out the files of an artefact for the other systems that have an emulator here.
fn emulate(artefact: &Artefact, folder: &Path, metadata: &Metadata, steps: &mut Steps) -> Result<()> {
    let (here, files) = (Target::here()?.name, files(folder)?);
    for target in TARGETS.iter().filter(|target| target.name != here) {
        let Some(emulator) = Emulator::of(target.name, metadata) else { continue };
        for (name, path) in files.iter().filter(|(name, _)| (artefact.is_for)(name, target)) {
            steps.step(format!("{name}, emulated"), || {
                emulator.provide()?;
                (artefact.emulate)(path, target, &emulator)
            });
        }
    }
    Ok(())
}

/// Removes the files of an artefact.
fn remove(artefact: &Artefact, folder: &Path) -> Result<()> {
    for (_, path) in files(folder)?.into_iter().filter(|(_, path)| (artefact.is_ours)(path)) {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// Makes an artefact for a system and copies it into the folder.
fn put(artefact: &Artefact, made: &Made, folder: &Path) -> Result<()> {
    artefact.needs.iter().try_for_each(Need::provide)?;
    for file in (artefact.make)(made)? {
        copy(&file, &folder.join(file.file_name().context("an artefact without a name")?))?;
    }
    Ok(())
}

fn copy(file: &Path, to: &Path) -> Result<()> {
    fs::copy(file, to).with_context(|| format!("cannot copy {}", file.display()))?;
    println!("{}: {} bytes", to.display(), fs::metadata(to)?.len());
    Ok(())
}

fn sums(folder: &Path) -> Result<String> {
    let mut sums = String::new();
    for (name, path) in files(folder)? {
        sums.extend([hex(&Sha256::digest(fs::read(path)?)).as_str(), "  ", &name, "\n"]);
    }
    Ok(sums)
}

fn write_sums(folder: &Path) -> Result<()> {
    fs::write(folder.join(SUMS), sums(folder)?).context("cannot write the sums")
}

fn check_sums(folder: &Path) -> Result<()> {
    let written = fs::read_to_string(folder.join(SUMS)).context("cannot read the sums")?;
    ensure!(written == sums(folder)?, "{SUMS} is not of what is there");
    Ok(())
}
