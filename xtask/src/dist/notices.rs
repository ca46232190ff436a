//! Collects the licences of the software that an artefact is linked with.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{cargo, read, root};
use serde_json::Value;

/// The file of notices in every artefact.
pub(super) const NAME: &str = "NOTICE-THIRD-PARTY";

/// Our licences and the credits, which every artefact also contains.
pub(super) const OURS: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"];

/// The accepted licences: each requires only a copy of its text.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The prefixes of the names of licence files, in lower case.
const TEXTS: &[&str] = &["copying", "copyright", "licence", "license", "notice", "unlicense"];

/// Linked software that is not a crate.
const BESIDE: &str = "\
SQLite, where the artefact has checkpoints, is in the public domain.
The standard library of Rust is licensed as MIT OR Apache-2.0; the text of the latter is below.
";

/// Software under the MIT licence whose distribution lacks the licence text, and its copyright line.
const WITHOUT_TEXT: &[(&str, &str)] = &[
    ("musl", "Copyright © 2005-2020 Rich Felker, et al."),
    ("napi", "Copyright (c) 2018 GitHub\nCopyright (c) 2020 LongYinan"),
    ("napi-sys", "Copyright (c) 2018 GitHub\nCopyright (c) 2020 LongYinan"),
];

/// One of our packages and its build, which determine the dependencies of an artefact.
pub(super) struct Linked<'a> {
    /// The name of the package.
    pub(super) package: &'a str,
    /// The features beside the default ones, separated by commas.
    pub(super) features: &'a str,
    /// The target of the build.
    pub(super) target: &'a str,
}

/// A third-party crate, and the licence in its manifest.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    name: String,
    version: String,
    licence: String,
}

/// Writes our licences into a folder, and returns the names of the files.
pub(super) fn put_ours(folder: &Path) -> Result<Vec<&'static str>> {
    for name in OURS {
        fs::copy(root().join(name), folder.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    Ok(OURS.to_vec())
}

/// Puts our licences and the notices for these packages into a folder, and returns the names of the files.
pub(super) fn put(linked: &[Linked], folder: &Path) -> Result<Vec<&'static str>> {
    let ours = put_ours(folder)?;
    fs::write(folder.join(NAME), text(linked)?).with_context(|| format!("cannot write {NAME}"))?;
    Ok(ours.into_iter().chain([NAME]).collect())
}

/// Returns the notices, each text once.
fn text(linked: &[Linked]) -> Result<String> {
    let mut crates = BTreeSet::new();
    for linked in linked {
        crates.extend(crates_of(linked)?);
    }
    let folders = folders()?;
    let (mut apache, mut others) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    if linked.iter().any(|linked| linked.target.ends_with("-musl")) {
        let text = mit("musl")?.context("no copyright of musl")?;
        others.entry(text).or_default().push("musl, the C library (MIT)".to_owned());
    }
    for it in &crates {
        let name = format!("{} {}", it.name, it.version);
        if is_apache(&it.licence)? {
            apache.push(name);
            continue;
        }
        let folder = folders.get(&(it.name.clone(), it.version.clone()));
        let mut texts = texts(folder.with_context(|| format!("cargo has no folder of {name}"))?)?;
        if texts.is_empty() && it.licence == "MIT" {
            texts.extend(mit(&it.name)?);
        }
        ensure!(!texts.is_empty(), "{name} is licensed as {} and has no text of it", it.licence);
        others.entry(texts.join("\n\n")).or_default().push(format!("{name} ({})", it.licence));
    }
    let mut notices = format!("fuzzy-edit is linked with the software below.\n\n{BESIDE}");
    for (text, names) in &others {
        write!(notices, "\n{}\n{}\n\n{text}\n", "-".repeat(72), names.join(", "))?;
    }
    let text = fs::read_to_string(root().join("LICENSE-APACHE"))?;
    write!(notices, "\n{}\n{} (Apache-2.0)\n\n{text}", "-".repeat(72), apache.join(", "))?;
    Ok(notices)
}

/// Returns the text of the MIT licence for software whose distribution lacks it.
fn mit(name: &str) -> Result<Option<String>> {
    let Some((_, copyright)) = WITHOUT_TEXT.iter().find(|(known, _)| *known == name) else { return Ok(None) };
    let ours = fs::read_to_string(root().join("LICENSE-MIT"))?;
    let at = ours.find("Permission is hereby granted").context("LICENSE-MIT is another text")?;
    Ok(Some(format!("{copyright}\n\n{}", ours[at..].trim())))
}

/// Returns the third-party crates that a package is linked with.
fn crates_of(linked: &Linked) -> Result<BTreeSet<Crate>> {
    let mut tree = cargo(["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    tree.args(["--package", linked.package, "--target", linked.target, "--no-default-features"]);
    tree.args(["--features", linked.features, "--format", "{p}|{l}"]);
    let text = read(tree)?;
    let lines = text.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once('|'));
    // Only packages of this workspace are listed with their folder.
    let crates = lines.filter(|(package, _)| !package.contains('('));
    crates
        .map(|(package, licence)| {
            let (name, version) = package.split_once(" v").with_context(|| format!("no version in {package:?}"))?;
            Ok(Crate { name: name.to_owned(), version: version.to_owned(), licence: licence.to_owned() })
        })
        .collect()
}

/// Returns the folder of every package by its name and version.
fn folders() -> Result<BTreeMap<(String, String), PathBuf>> {
    let text = read(cargo(["metadata", "--locked", "--all-features", "--format-version", "1"]))?;
    let value: Value = serde_json::from_str(&text).context("cargo metadata is not JSON")?;
    let packages = value["packages"].as_array().context("cargo metadata names no packages")?;
    let folders = packages.iter().filter_map(|package| {
        let word = |key: &str| package[key].as_str().map(str::to_owned);
        let manifest = PathBuf::from(word("manifest_path")?);
        Some(((word("name")?, word("version")?), manifest.parent()?.to_owned()))
    });
    Ok(folders.collect())
}

/// Returns whether a licence permits Apache 2.0, whose text is the same for all crates; fails if none of the
/// alternatives is accepted.
fn is_apache(licence: &str) -> Result<bool> {
    let plain = licence.replace(" WITH LLVM-exception", "").replace('/', " OR ").replace(['(', ')'], "");
    for part in plain.split(" AND ") {
        let is_accepted = part.split(" OR ").any(|one| ACCEPTED.contains(&one.trim()));
        ensure!(is_accepted, "the licence {licence:?} is not accepted");
    }
    Ok(!plain.contains(" AND ") && plain.split(" OR ").any(|one| one.trim() == "Apache-2.0"))
}

/// Returns the texts of the licence files in the folder of a crate.
fn texts(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let is_text = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        path.is_file() && TEXTS.iter().any(|text| name.starts_with(text))
    };
    let texts = files.iter().filter(|path| is_text(path)).map(|path| {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(text.replace("\r\n", "\n").trim().to_owned())
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::{Linked, is_apache, text};
    use crate::targets::TARGETS;

    #[test]
    fn apache_is_chosen_where_it_alone_is_enough() {
        for (licence, expected) in [
            ("MIT OR Apache-2.0", Some(true)),
            ("MIT/Apache-2.0", Some(true)),
            ("Apache-2.0 WITH LLVM-exception OR MIT", Some(true)),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", Some(false)),
            ("Unlicense OR MIT", Some(false)),
            ("GPL-3.0", None),
            ("MIT AND GPL-3.0", None),
            ("", None),
        ] {
            assert_eq!(is_apache(licence).ok(), expected, "{licence}");
        }
    }

    #[test]
    fn every_artefact_has_notices() {
        let mut linked = Vec::new();
        for target in TARGETS {
            linked.push(Linked { package: "fuzzy-edit-cli", features: target.features, target: target.name });
            for platform in target.platforms {
                for package in ["fuzzy-edit-python", "fuzzy-edit-napi"] {
                    linked.push(Linked { package, features: "", target: platform.target });
                }
            }
        }
        let notices = text(&linked).unwrap();
        for name in ["axum", "clap", "memchr", "musl", "napi", "pyo3", "rusqlite", "tokio", "windows-sys"] {
            assert!(notices.contains(&format!("{name} ")) || notices.contains(&format!("{name}, ")), "{name}");
        }
        let shared = notices.matches("Copyright (c) 2015 Andrew Gallant").count();
        assert_eq!(shared, 1, "memchr and its kin share a text");
        assert!(!notices.contains("fuzzy-core"), "our own crates are no third party's");
    }
}
