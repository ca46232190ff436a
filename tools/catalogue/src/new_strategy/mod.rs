//! Makes a strategy crate that builds, is registered and has its first snapshots.

mod insert;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fuzzy_pipeline::{Registration, registry};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, git, read, root, run as execute};

const MANIFEST: &str = include_str!("template/Cargo.toml.txt");
const LIBRARY: &str = include_str!("template/lib.rs.txt");
const TESTS: &str = include_str!("template/main.rs.txt");
const CONTRACT: &str = include_str!("template/contract.rs.txt");
const PICTURES: &str = include_str!("template/pictures.rs.txt");

/// Types that the library already imports, and a word that cannot name a type.
const TAKEN_TYPES: &[&str] = &["ControlFlow", "Found", "Query", "Strategy", "Self"];

/// Distance between the priorities of two families, so that another fits between.
const PRIORITY_STEP: i32 = 10;

/// Make a crate under `crates/strategies`, with its feature, link anchor, row in the documents and snapshots.
///
/// It starts as a copy of `exact`, at the loose end of `registered`; its search is then yours to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The family: lower-case words joined by `-`.
    name: String,
}

/// Makes the crate; the working tree must be clean, so that the result can be reviewed and undone.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.name.as_str();
    check_name(name)?;
    check_free(name, &Metadata::load()?)?;
    let changes = read(git(&["status", "--porcelain"]))?;
    ensure!(changes.is_empty(), "the working tree is not clean; commit your changes first:\n{}", changes.trim_end());

    make(name)?;
    let package = format!("fuzzy-{name}");
    execute(cargo(["fmt", "--package", &package]))?;
    let mut accept = cargo(["test", "--quiet", "--package", &package]);
    accept.env("INSTA_UPDATE", "always");
    execute(accept)?;
    execute(cargo(["test", "--quiet", "--package", "fuzzy-pipeline", "--test", "registry", "--all-features"]))?;
    // In a new process: this program was linked before the strategy existed.
    execute(cargo(["run", "--quiet", "--package", "fuzzy-catalogue", "--", "ladders"]))?;

    println!("\nmade crates/strategies/{name}, feature `{name}`, last in the ladder `registered`; now:");
    println!(
        "  1. write its search in crates/strategies/{name}/src/lib.rs, and document what it accepts and refuses in its first lines"
    );
    println!("  2. set its priority there, and its position in crates/engine/fuzzy-pipeline/tests/registry.rs");
    println!("  3. draw an accepting case and a near miss in tests/it/pictures.rs, and look at the snapshots");
    println!("  4. cargo xtask ladders && cargo xtask ci && cargo xtask test");
    Ok(())
}

/// Fails unless the name consists of words of `a` to `z` and digits, joined by `-`, that can name a type.
fn check_name(name: &str) -> Result<()> {
    ensure!(
        name.split('-').all(is_word),
        "{name:?} cannot name a strategy: use lower-case words joined by `-`, such as `line-trimmed`"
    );
    ensure!(!TAKEN_TYPES.contains(&type_name(name).as_str()), "{name:?} would hide a type of the engine");
    Ok(())
}

/// Returns whether a text consists of lower-case letters and digits, and begins with a letter.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// Fails if a folder, a package or a feature already has the name.
fn check_free(name: &str, metadata: &Metadata) -> Result<()> {
    let folder = format!("crates/strategies/{name}");
    ensure!(!root().join(&folder).exists(), "{folder} exists already");
    let package = format!("fuzzy-{name}");
    ensure!(metadata.packages.iter().all(|known| known.name != package), "a package {package} exists already");
    let facade = metadata.member("fuzzy-pipeline")?;
    ensure!(!facade.features.iter().any(|known| known == name), "fuzzy-pipeline has a feature {name} already");
    Ok(())
}

/// Writes the crate and inserts it into the lists of crates.
fn make(name: &str) -> Result<()> {
    let priority = registry().entries().last().map_or(0, Registration::priority) + PRIORITY_STEP;
    // All edits are prepared before the first write: if a list is missing, nothing has changed.
    let mut edited: Vec<(&str, String)> = Vec::new();
    for list in insert::LISTS {
        let known = edited.iter().position(|(file, _)| *file == list.file);
        let text = match known {
            Some(at) => edited.swap_remove(at).1,
            None => fs::read_to_string(root().join(list.file)).with_context(|| format!("cannot read {}", list.file))?,
        };
        edited.push((list.file, list.enter(&text, &filled(list.entry, name, priority))?));
    }
    let folder = format!("crates/strategies/{name}");
    let made = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        ("tests/it/main.rs", TESTS),
        ("tests/it/contract.rs", CONTRACT),
        ("tests/it/pictures.rs", PICTURES),
    ];
    let made = made.map(|(file, template)| (format!("{folder}/{file}"), filled(template, name, priority)));
    for (file, text) in edited.into_iter().map(|(file, text)| (file.to_owned(), text)).chain(made) {
        write(&root().join(&file), &text)?;
        println!("wrote {file}");
    }
    Ok(())
}

/// Returns a template filled in for a strategy.
fn filled(template: &str, name: &str, priority: i32) -> String {
    template
        .replace("{name}", name)
        .replace("{module}", &module_name(name))
        .replace("{Type}", &type_name(name))
        .replace("{priority}", &priority.to_string())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file without a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn module_name(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns the name in the form of a type: `LineTrimmed` for `line-trimmed`.
fn type_name(name: &str) -> String {
    name.split('-')
        .map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            first.to_ascii_uppercase() + rest
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use fuzzy_tools::metadata::Metadata;

    use super::{check_free, check_name, type_name};

    #[test]
    fn a_name_is_words_joined_by_a_hyphen() {
        for good in ["demo", "line-trimmed", "utf8-folded"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "-", "a-", "-a", "a--b", "A", "a_b", "a/b", "../x", "8bit", "é", "strategy", "self", "a b"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_is_used_once() {
        let metadata = Metadata::load().unwrap();
        for taken in ["exact", "core", "pipeline", "conservative", "all"] {
            assert!(check_free(taken, &metadata).is_err(), "{taken}");
        }
        assert!(check_free("not-there-yet", &metadata).is_ok());
    }

    #[test]
    fn a_type_is_spelled_in_camel_case() {
        assert_eq!(type_name("line-trimmed"), "LineTrimmed");
        assert_eq!(type_name("utf8-folded"), "Utf8Folded");
    }
}
