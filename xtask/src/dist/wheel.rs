//! Makes the wheels, which contain the Python package and the command, and the package's sources for systems without a
//! wheel.
//!
//! The command is a native program in the wheel's scripts folder. It starts faster than a Python script, which would
//! first start an interpreter (20 ms) and load the package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use fuzzy_tools::run::{cargo, read, root, run};

use super::made::{Made, files};
use super::notices::{self, Linked};
use crate::build::Build;
use crate::emulator::Emulator;
use crate::needs::Need;
use crate::python::{Environment, PACKAGE};
use crate::targets::{Platform, Target};

/// The largest permitted wheel, in bytes. The command is the largest part of it.
const LARGEST: u64 = 12_000_000;

/// The folder in the package whose files are installed outside the package; maturin finds it by the name of the module.
const DATA: &str = "fuzzy_edit._native.data";

pub(super) fn is_ours(file: &Path) -> bool {
    is_wheel(file) || is_sources(file)
}

fn is_wheel(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "whl")
}

pub(super) fn is_for(name: &str, target: &Target) -> bool {
    // The Python of the emulator is Debian's.
    let mut debian = target.platforms.iter().filter(|platform| platform.target.ends_with("-linux-gnu"));
    let processor = target.name.split('-').next().unwrap_or_default();
    let tag = debian.find_map(|platform| platform.wheel).map(|oldest| format!("{oldest}_{processor}"));
    is_wheel(Path::new(name)) && tag.is_some_and(|tag| name.contains(&tag))
}

/// Unpacks the wheel into a folder of packages of another system, and uses every function of the package.
pub(super) fn emulate(wheel: &Path, _: &Target, emulator: &Emulator) -> Result<()> {
    let mut python = emulator.python()?;
    let folder = tempfile::tempdir()?;
    let packages = folder.path().join("site-packages");
    let mut unpack = Command::new("python3");
    unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(&packages);
    run(unpack)?;
    python.arg(root().join(PACKAGE).join("tests/installed.py")).current_dir(&folder).env("PYTHONPATH", &packages);
    run(python)
}

/// Returns whether a file contains the package's sources; `PyPI` prescribes the spelling of the name.
pub(super) fn is_sources(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("fuzzy_edit-") && name.ends_with(".tar.gz")
}

/// Makes a wheel for each C library of a system, and on the target of this machine also the sources, which are the same
/// for all systems.
pub(super) fn make(made: &Made) -> Result<Vec<PathBuf>> {
    let environment = Environment::of(made.metadata, "bindings/python/requirements-build.txt")?;
    let mut files = wheels(made, &environment)?;
    if made.target.name == Target::here()?.name {
        files.push(sources(made, &environment)?);
    }
    Ok(files)
}

/// Makes a wheel for each C library of a system; unoptimised, for this machine alone.
fn wheels(made: &Made, environment: &Environment) -> Result<Vec<PathBuf>> {
    let platforms = made.target.platforms.iter().filter_map(|platform| Some((platform, platform.wheel?)));
    if made.build == Build::Debug {
        let own = || environment.build_wheel(made.metadata, made.build);
        return platforms.take(1).map(|(platform, _)| wheel(made, platform, own)).collect();
    }
    let wheels = platforms.map(|(platform, oldest)| {
        let wheel = wheel(made, platform, || {
            environment.build_wheel_for(made.metadata, made.build, |maturin| cross(made, platform, oldest, maturin))
        })?;
        let size = fs::metadata(&wheel)?.len();
        ensure!(size < LARGEST, "{} has {size} bytes, {LARGEST} are allowed", wheel.display());
        Ok(wheel)
    });
    wheels.collect()
}

/// Packs the sources with our licences. A build from them has to add the notices of the crates that it links.
fn sources(made: &Made, environment: &Environment) -> Result<PathBuf> {
    let package = root().join(PACKAGE);
    let licences = notices::put_ours(&package)?;
    let sources = environment.build_sources(&made.folder("sources")?);
    licences.iter().try_for_each(|name| fs::remove_file(package.join(name)))?;
    sources
}

/// Adds the command and the licences to the package, builds the wheel, and returns it.
fn wheel(made: &Made, platform: &Platform, build: impl FnOnce() -> Result<PathBuf>) -> Result<PathBuf> {
    let package = root().join(PACKAGE);
    let data = package.join(DATA);
    let scripts = data.join("scripts");
    fs::create_dir_all(&scripts)?;
    fs::copy(made.command()?, scripts.join(format!("fuzzy-edit{}", made.target.suffix)))?;
    let library = Linked { package: "fuzzy-edit-python", features: "", target: platform.target };
    let licences = notices::put(&[made.linked_command(), library], &package)?;
    let wheel = build();
    // Other builds of the package do not contain the command.
    fs::remove_dir_all(data)?;
    licences.iter().try_for_each(|name| fs::remove_file(package.join(name)))?;
    let wheel = wheel?;
    // The next build deletes the files in this folder.
    let kept = made.folder("wheels")?.join(wheel.file_name().context("a wheel without a name")?);
    fs::rename(wheel, &kept)?;
    Ok(kept)
}

/// Configures maturin to build for another system, or for an older C library.
fn cross(made: &Made, platform: &Platform, oldest: &str, maturin: &mut Command) -> Result<()> {
    Need::target(platform.target).provide()?;
    maturin.args(["--target", platform.target]);
    made.target.lend_linker(made.metadata, maturin)?;
    if let Some(version) = oldest.strip_prefix("macosx_") {
        maturin.env("MACOSX_DEPLOYMENT_TARGET", version.replace('_', "."));
    } else if oldest.contains("linux") {
        maturin.args(["--compatibility", oldest]);
    }
    made.target.link(maturin);
    Ok(())
}

/// Installs the wheel as users do: with pip in a new environment, and with `uvx` in a new home directory.
pub(super) fn try_out(dist: &Path, build: Build) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::fresh(&folder.path().join("venv"))?;
    let mut pip = environment.pip(&["install", "--quiet", "--no-index", "--find-links"]);
    pip.arg(dist).arg("fuzzy-edit");
    run(pip)?;
    let at_home = |mut command: Command| {
        // The working directory is not the source folder, whose package would be imported instead.
        command
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"));
        command
    };
    let mut python = at_home(environment.python());
    python.arg(root().join(PACKAGE).join("tests/installed.py"));
    run(python)?;
    edits(folder.path(), || at_home(Command::new(environment.programs().join("fuzzy-edit"))))?;
    edits(folder.path(), || {
        let mut python = at_home(environment.python());
        python.args(["-m", "fuzzy_edit"]);
        python
    })?;
    let tools = crate::tools::programs(&fuzzy_tools::metadata::Metadata::load()?, &["uv"])?;
    edits(folder.path(), || {
        let mut uvx = at_home(Command::new(tools.join("uvx")));
        uvx.args(["--quiet", "--offline", "--no-index", "--find-links"]).arg(dist);
        uvx.arg("--python").arg(environment.programs().join("python"));
        uvx.env("UV_CACHE_DIR", folder.path().join("uv")).arg("fuzzy-edit");
        uvx
    })?;
    let (wheels, sources) = (paths(dist, is_wheel)?, paths(dist, is_sources)?);
    let tag = format!("manylinux_2_17_{}", std::env::consts::ARCH);
    let is_old_enough = wheels.iter().any(|(name, _)| name.contains(&tag));
    ensure!(build == Build::Debug || is_old_enough, "no wheel is for {tag}");
    wheels.iter().try_for_each(|(name, path)| is_complete(name, path))?;
    let [(name, sources)] = &sources[..] else { bail!("there are {} archives of sources", sources.len()) };
    check(&wheels, sources)?;
    build_sources(name, sources, folder.path(), build)
}

/// Returns the files of a kind with their names.
fn paths(dist: &Path, is_one: fn(&Path) -> bool) -> Result<Vec<(String, PathBuf)>> {
    Ok(files(dist)?.into_iter().filter(|(_, path)| is_one(path)).collect())
}

/// Lets the checkers of `PyPI` look at what would be uploaded.
fn check(wheels: &[(String, PathBuf)], sources: &Path) -> Result<()> {
    let metadata = fuzzy_tools::metadata::Metadata::load()?;
    let tools = Environment::of(&metadata, "bindings/python/requirements-check.txt")?.programs();
    let wheels = wheels.iter().map(|(_, path)| path);
    let mut twine = Command::new(tools.join("twine"));
    twine.args(["--no-color", "check", "--strict"]).args(wheels.clone()).arg(sources);
    run(twine)?;
    let mut contents = Command::new(tools.join("check-wheel-contents"));
    // A file of settings may be above; they are for the tests.
    contents.arg("--no-config").args(wheels);
    run(contents)
}

/// Unpacks the sources where nothing of this tree is: all that they are made of has to be there. As they are released,
/// they are built and installed, too, which takes minutes.
fn build_sources(name: &str, sources: &Path, folder: &Path, build: Build) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--gzip", "--file"]).arg(sources).arg("--directory").arg(folder);
    run(tar)?;
    let unpacked = folder.join(name.trim_end_matches(".tar.gz"));
    for file in notices::OURS.into_iter().chain(["python/fuzzy_edit/__init__.pyi", "Cargo.lock"]) {
        ensure!(unpacked.join(file).is_file(), "{name} lacks {file}");
    }
    // The file of versions also has what only other members of the workspace need, which cargo takes out.
    let mut metadata = cargo(["metadata", "--format-version", "1"]);
    metadata.current_dir(&unpacked);
    read(metadata).context("the sources are not whole")?;
    if build == Build::Debug {
        return Ok(());
    }
    let metadata = fuzzy_tools::metadata::Metadata::load()?;
    let environment = Environment::of(&metadata, "bindings/python/requirements-build.txt")?;
    let mut pip = environment.pip(&["install", "--quiet", "--force-reinstall", "--no-deps", "--no-build-isolation"]);
    // Where maturin is that builds it.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([environment.programs()].into_iter().chain(std::env::split_paths(&path)))?;
    pip.arg(sources).env("PATH", path).env("CARGO_TARGET_DIR", &metadata.target_dir).current_dir(folder);
    run(pip)?;
    let mut python = environment.python();
    python.arg(root().join(PACKAGE).join("tests/installed.py")).current_dir(folder);
    python.env("XDG_STATE_HOME", folder.join("state"));
    let tried = run(python);
    run(environment.pip(&["uninstall", "--quiet", "--yes", "fuzzy-edit"]))?;
    tried
}

/// Edits a file with the installed command, and requests the help of a verb that not every build contains.
pub(super) fn edits(folder: &Path, fuzzy_edit: impl Fn() -> Command) -> Result<()> {
    let file = folder.join("cart.py");
    fs::write(&file, "def total(cart):\n\treturn sum(cart)\n")?;
    let mut command = fuzzy_edit();
    command.args(["apply", "cart.py", "--old", "    return sum(cart)", "--new", "    return 0"]);
    run(command)?;
    let edited = fs::read_to_string(&file)?;
    ensure!(edited == "def total(cart):\n\treturn 0\n", "the edit made {edited:?}");
    let mut command = fuzzy_edit();
    command.args(["mcp", "--help"]);
    ensure!(read(command)?.contains("--http"), "the command is without the verb mcp");
    let mut command = fuzzy_edit();
    command.args(["apply", "cart.py", "--old", "return 1", "--new", "return 2"]);
    let refused = command.output().context("cannot start the command")?.status;
    ensure!(refused.code() == Some(1), "a refused edit ended with {refused}");
    Ok(())
}

/// Fails unless a wheel contains the command and all required licences.
fn is_complete(name: &str, wheel: &Path) -> Result<()> {
    let mut python = Command::new("python3");
    python.args(["-m", "zipfile", "-l"]).arg(wheel);
    let listed = read(python)?;
    ensure!(listed.contains(".data/scripts/fuzzy-edit"), "{name} lacks the command");
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE", notices::NAME] {
        ensure!(listed.contains(&format!(".dist-info/licenses/{file} ")), "{name} lacks {file}");
    }
    Ok(())
}
