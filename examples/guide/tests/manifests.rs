//! The manifests in the guide and in the README name existing crates with existing features.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_dependency_of_the_documentation_exists_with_its_features() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for page in ["README.md", "docs/guide.md"] {
        let text = read(&root.join(page));
        let blocks = text.split("```toml\n[dependencies]\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        for (name, wanted) in blocks.flat_map(|block| block.parse::<Table>().unwrap()) {
            // The path to the folder of the crates depends on the reader's machine.
            let (_, folder) = wanted["path"].as_str().unwrap().rsplit_once("crates/").unwrap();
            let manifest: Table = read(&root.join("crates").join(folder).join("Cargo.toml")).parse().unwrap();
            assert_eq!(manifest["package"]["name"].as_str(), Some(name.as_str()), "{page}");
            let features = wanted.get("features").and_then(Value::as_array).into_iter().flatten();
            for feature in features {
                let feature = feature.as_str().unwrap();
                assert!(manifest["features"].get(feature).is_some(), "{page}: {name} has no feature {feature}");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}

#[test]
fn the_rust_of_the_readme_is_that_of_the_facade() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = read(&root.join("README.md"));
    let (_, after) = readme.split_once("```rust\n").expect("a block");
    let block = after.split("```").next().unwrap();
    // There it is a doc test with additional hidden lines.
    let facade = read(&root.join("crates/facade/fuzzy-pipeline/src/lib.rs"));
    let documented: String = facade
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .filter(|line| !line.starts_with("# "))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert!(documented.contains(&format!("```\n{block}```")), "{block}");
}
