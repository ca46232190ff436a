//! Assembles our npm packages: the main package, the engine in WebAssembly, and a package for each platform.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, root, run};
use serde_json::{Value, json};

use crate::build::Build;
use crate::npm::pack;
use crate::targets::{Platform, Target};
use crate::wasm::engine;

/// The source folders of the packages that are the same on every platform.
const PACKAGES: [(&str, &str); 2] =
    [("fuzzy-edit", "bindings/node/package"), (WASM_PACKAGE, "bindings/node/wasm-package")];

/// The package of the engine in WebAssembly.
const WASM_PACKAGE: &str = "fuzzy-edit-wasm";

/// The folder of the opencode plugin.
const PLUGIN: &str = "integrations/opencode";

/// The optimiser for WebAssembly; the major version is the one that was measured.
const OPTIMISER: &str = "binaryen@132";

/// The features of WebAssembly that the engine uses in addition to version 1.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// The name of the native Node module in the package for a platform.
pub(crate) const NATIVE: &str = "fuzzy_edit.node";

/// The WebAssembly modules with their features. Patches are a separate module, because they are a fifth of the size and
/// many users do not need them.
const MODULES: &[(&str, &[&str])] = &[("fuzzy_edit.wasm", &[]), ("fuzzy_edit_patch.wasm", &["--features", "patches"])];

/// Makes the folders of the packages that are the same on every platform, and returns them.
pub(crate) fn assemble(metadata: &Metadata, build: Build) -> Result<Vec<PathBuf>> {
    let folders = PACKAGES.iter().map(|(name, from)| {
        let folder = fresh(metadata, build, name)?;
        copy_all(&root().join(from), &folder)?;
        copy_licences(&folder)?;
        // The types for `require` are the types for `import`.
        for types in ["index", "load"] {
            let text = fs::read_to_string(folder.join(types).with_extension("d.ts"))?;
            fs::write(folder.join(types).with_extension("d.cts"), text.replace("./index.js", "./index.cjs"))?;
        }
        if *name == WASM_PACKAGE {
            for (module, features) in MODULES {
                wasm(metadata, build, features, &folder.join(module))?;
            }
        }
        Ok(folder)
    });
    folders.collect()
}

/// Makes the folder of the package for a platform with these files, and returns it.
pub(crate) fn assemble_platform(
    metadata: &Metadata,
    build: Build,
    platform: &Platform,
    files: &[(&Path, &str)],
) -> Result<PathBuf> {
    let folder = fresh(metadata, build, &platform.package())?;
    let (system, processor, library) = platform.npm;
    let main = root().join(PACKAGES[0].1).join("package.json");
    let main: Value = serde_json::from_str(&fs::read_to_string(main)?)?;
    let mut manifest = json!({
        "name": platform.package(),
        "version": env!("CARGO_PKG_VERSION"),
        "description": format!("fuzzy-edit for {system} on {processor}: the command, and the module that Node loads."),
        "license": "MIT OR Apache-2.0",
        "homepage": main["homepage"],
        "repository": main["repository"],
        "bugs": main["bugs"],
        "os": [system],
        "cpu": [processor],
        // Yarn does not unpack other packages, and a program in an archive cannot be started.
        "preferUnplugged": true,
    });
    if let Some(library) = library {
        manifest["libc"] = json!([library]);
    }
    fs::write(folder.join("package.json"), format!("{manifest:#}\n"))?;
    copy_licences(&folder)?;
    for (file, name) in files {
        copy(file, &folder.join(name))?;
    }
    Ok(folder)
}

/// Makes the packages that the library needs on this machine, and returns their tarballs.
pub(crate) fn library(metadata: &Metadata, build: Build) -> Result<Vec<PathBuf>> {
    let mut folders = assemble(metadata, build)?;
    let module = native(metadata, build)?;
    let platform = Target::here()?.platforms.first().context("no platform for this machine")?;
    folders.push(assemble_platform(metadata, build, platform, &[(&module, NATIVE)])?);
    let into = metadata.target_dir.join("npm").join(build.folder());
    folders.iter().map(|folder| pack(folder, &into)).collect()
}

/// Deletes the files in the folder of a package.
fn fresh(metadata: &Metadata, build: Build, name: &str) -> Result<PathBuf> {
    let folder = metadata.target_dir.join("npm").join(build.folder()).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Makes the folder of the opencode plugin, and returns it.
pub(crate) fn assemble_plugin(metadata: &Metadata) -> Result<PathBuf> {
    let folder = metadata.target_dir.join("npm").join("plugin").join("opencode-fuzzy-edit");
    fs::create_dir_all(&folder)?;
    copy_all(&root().join(PLUGIN), &folder)?;
    copy_licences(&folder)?;
    Ok(folder)
}

fn copy_licences(folder: &Path) -> Result<()> {
    ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"].iter().try_for_each(|text| copy(&root().join(text), &folder.join(text)))
}

/// Builds a WebAssembly module of the package; a release build is also optimised for size.
fn wasm(metadata: &Metadata, build: Build, features: &[&str], to: &Path) -> Result<()> {
    let module = engine(metadata, build, features)?;
    if build == Build::Debug {
        return copy(&module, to);
    }
    let mut npm = Command::new("npm");
    npm.args(["exec", "--yes", "--package", OPTIMISER, "--", "wasm-opt", "-Oz"]).args(FEATURES);
    npm.args(["--strip-producers", "--strip-target-features"]).arg(&module).arg("-o").arg(to);
    run(npm)
}

/// Builds the native Node module for this machine, and returns its file.
pub(crate) fn native(metadata: &Metadata, build: Build) -> Result<PathBuf> {
    match build {
        Build::Debug => command::libraries_for_tests(metadata)?,
        Build::Shipped => {
            run(cargo(["build", "--quiet", "--package", "fuzzy-edit-napi", "--profile", build.profile()]))?;
        }
    }
    Ok(metadata.target_dir.join(build.folder()).join("libfuzzy_edit_napi.so"))
}

/// Copies the files of a folder and its subfolders, without tests.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if !entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else if ![OsStr::new("test"), OsStr::new("bench"), OsStr::new("node_modules")]
            .contains(&entry.file_name().as_os_str())
        {
            fs::create_dir_all(&to)?;
            copy_all(&from, &to)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::{PACKAGES, Value};
    use crate::targets::{Platform, TARGETS};
    use fuzzy_tools::run::root;

    #[test]
    fn the_main_package_names_every_platform_in_this_version() {
        let manifests = PACKAGES.map(|(_, folder)| {
            let text = fs::read_to_string(root().join(folder).join("package.json")).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()
        });
        let version = Value::from(env!("CARGO_PKG_VERSION"));
        let [main, wasm] = &manifests;
        assert_eq!((&main["version"], &wasm["version"]), (&version, &version));
        assert_eq!(main["dependencies"], serde_json::json!({ "fuzzy-edit-wasm": version }));
        let named = main["optionalDependencies"].as_object().unwrap();
        assert!(named.values().all(|it| *it == version));
        let named: BTreeSet<String> = named.keys().cloned().collect();
        let platforms = TARGETS.iter().flat_map(|target| target.platforms).map(Platform::package);
        assert_eq!(named, platforms.collect());
    }
}
