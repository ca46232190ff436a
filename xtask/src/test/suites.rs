//! The table of suites: the checks, the needs and the relevant files of each.

use std::path::Path;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;

use super::unchanged::{self, Passes, tree_hash};
use super::{bindings, clients, default_features, elsewhere, node, rust, targets, wasm, wine};
use crate::needs::Need;
use crate::{dist, instructions};

/// A group of checks that run together.
pub(super) struct Suite {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) needs: &'static [Need],
    /// The reason why CI may skip the suite if a need is not available; `None` if it may not.
    pub(super) optional: Option<&'static str>,
    pub(super) runs: Runs,
    /// The files in the target directory that other suites also write: these suites never run at the same time.
    pub(super) writes: Option<&'static str>,
    pub(super) run: fn(&Metadata) -> Result<()>,
}

/// The condition for a run of a suite that was not named.
pub(super) enum Runs {
    /// Always.
    Always,
    /// If a file in these paths has changed since the last recorded pass, and with `--all`.
    After(&'static [&'static str]),
    /// With `--all`, for this reason.
    BeforeRelease(&'static str),
}

/// The manifests: versions, features and profiles of everything that is built.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "Cargo.lock"];

const TARGET_MISSING: Option<&str> = Some("not every toolchain can be given the target");

/// The folders of wheels and npm packages.
const PACKAGES: Option<&str> = Some("packages");

/// Every suite, in the order in which they are started.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "workspace",
        what: "unit, integration and doc tests of every crate; no snapshot left over",
        needs: &[Need::Git, Need::Curl],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: rust::workspace,
    },
    Suite {
        name: "default-features",
        what: "the first command of the README, and the verbs that it does not build",
        needs: &[],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: default_features::suite,
    },
    Suite {
        name: "targets",
        what: "the command compiles for every system that it is made for, and has one crate for each job",
        needs: &[Need::Python, Need::Mingw],
        optional: TARGET_MISSING,
        runs: Runs::After(&[
            MANIFESTS[0],
            MANIFESTS[1],
            "crates",
            "playground",
            "xtask/requirements-zig.txt",
            "xtask/src/targets.rs",
            "xtask/src/test/targets.rs",
        ]),
        writes: None,
        run: targets::suite,
    },
    Suite {
        name: "windows",
        what: "under Wine, files are written safely and every verb does its work",
        needs: &[Need::Mingw, Need::Wine],
        optional: Some("Wine is not made for every platform"),
        runs: Runs::After(&[
            MANIFESTS[0],
            MANIFESTS[1],
            "crates",
            "playground",
            "xtask/src/targets.rs",
            "xtask/src/test/elsewhere.rs",
            "xtask/src/test/wine",
        ]),
        writes: None,
        run: wine::windows,
    },
    Suite {
        name: "arm",
        what: "under QEMU, the engine agrees with its tests and the command edits on arm64",
        needs: &[Need::Python, Need::Qemu],
        optional: TARGET_MISSING,
        runs: Runs::BeforeRelease("an emulated processor takes minutes"),
        writes: None,
        run: elsewhere::arm,
    },
    Suite {
        name: "benches",
        what: "every bench once, untimed, so that its answers are checked",
        needs: &[],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: rust::benches,
    },
    Suite {
        name: "instructions",
        what: "no guarded scenario takes over 10 % more instructions than was committed",
        needs: &[Need::Valgrind, Need::CountedMachine],
        optional: Some("counts are good for one set of instructions"),
        runs: Runs::After(&[
            MANIFESTS[0],
            MANIFESTS[1],
            "benches",
            "crates/engine",
            "crates/files/fuzzy-patch",
            "crates/files/fuzzy-report",
            "crates/fuzzy-testkit",
            "crates/strategies",
            "xtask/src/instructions.rs",
        ]),
        writes: None,
        run: |_| instructions::run(&instructions::Arguments { write: false }),
    },
    Suite {
        name: "mcp-typescript",
        what: "the official TypeScript SDK edits through the MCP server",
        needs: &[Need::Node, Need::Npm],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: clients::typescript,
    },
    Suite {
        name: "mcp-python",
        what: "the official Python SDK edits through the MCP server",
        needs: &[Need::Python],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: clients::python,
    },
    Suite {
        name: "python",
        what: "the Python package, on the own cases of the ladders as well, and its types",
        needs: &[Need::Python, Need::Node],
        optional: None,
        runs: Runs::Always,
        writes: PACKAGES,
        run: bindings::python,
    },
    Suite {
        name: "scale",
        what: "edits and replays on a Spark cluster of two workers, one of which is killed; DuckDB and Polars",
        needs: &[Need::Python, Need::Java],
        optional: None,
        runs: Runs::After(&[
            MANIFESTS[0],
            MANIFESTS[1],
            "bindings/python",
            "crates/engine",
            "crates/files",
            "crates/strategies",
            "crates/surfaces/fuzzy-edit-cli",
            "docs/scale.md",
            "xtask/src/python.rs",
            "xtask/src/test/bindings.rs",
        ]),
        writes: PACKAGES,
        run: bindings::scale,
    },
    Suite {
        name: "dist",
        what: "the released packages are made (unoptimised), installed where nothing else is, and used",
        needs: &[Need::Python, Need::Git, Need::Node, Need::Npm, Need::WasmTarget],
        optional: TARGET_MISSING,
        runs: Runs::Always,
        writes: PACKAGES,
        run: dist::unoptimised,
    },
    Suite {
        name: "browser",
        what: "a browser without JavaScript goes back and forth on the page, in every width and colour",
        needs: &[Need::Git, Need::Node, Need::Npm, Need::Chromium],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: clients::browser,
    },
    Suite {
        name: "openapi",
        what: "every answer of the API is one of its OpenAPI document, and a TypeScript client made from that works",
        needs: &[Need::Git, Need::Node, Need::Npm, Need::Python, Need::Postgres],
        optional: None,
        runs: Runs::After(&[
            MANIFESTS[0],
            MANIFESTS[1],
            "crates/checkpoint",
            "crates/engine",
            "crates/files",
            "xtask/src/test/clients.rs",
        ]),
        writes: None,
        run: clients::openapi,
    },
    Suite {
        name: "playground",
        what: "a browser edits, follows links and opens every example on the playground, by mouse and by keyboard",
        needs: &[Need::Node, Need::Npm, Need::Chromium, Need::WasmTarget],
        optional: TARGET_MISSING,
        runs: Runs::Always,
        writes: None,
        run: clients::playground,
    },
    Suite {
        name: "node",
        what: "the npm package in a fresh project: Node's own module and WebAssembly make the edits of the Rust suites",
        needs: &[Need::Node, Need::Npm, Need::Chromium, Need::WasmTarget],
        optional: TARGET_MISSING,
        runs: Runs::Always,
        writes: PACKAGES,
        run: node::suite,
    },
    Suite {
        name: "opencode",
        what: "a real opencode edits with the replacing tool of the plugin, and the plugin has opencode's types",
        needs: &[Need::Node, Need::Npm, Need::WasmTarget, Need::Opencode],
        optional: Some("opencode is not made for every platform"),
        runs: Runs::After(&[
            MANIFESTS[0],
            MANIFESTS[1],
            "bindings/node",
            "crates/engine",
            "crates/files/fuzzy-patch",
            "crates/files/fuzzy-plan",
            "crates/files/fuzzy-report",
            "crates/strategies",
            "integrations/opencode",
            "xtask/src/npm.rs",
            "xtask/src/test/node.rs",
        ]),
        writes: PACKAGES,
        run: node::opencode,
    },
    Suite {
        name: "hosts",
        what: "real hosts with what `init` puts into their settings: edits are repaired, counted and explained",
        needs: &[Need::Node, Need::Npm],
        optional: Some("hosts are not made for every platform"),
        runs: Runs::BeforeRelease("the hosts take 2 GB"),
        writes: None,
        run: node::hosts,
    },
    Suite {
        name: "postgres",
        what: "stores, services and restores on a Postgres server of its own",
        needs: &[Need::Git, Need::Postgres],
        optional: None,
        runs: Runs::Always,
        writes: None,
        run: rust::on_postgres,
    },
    Suite {
        name: "wasm",
        what: "every strategy registers itself in WebAssembly and an edit is decided without a clock, unoptimised",
        needs: &[Need::Node, Need::WasmTarget],
        optional: TARGET_MISSING,
        runs: Runs::Always,
        writes: None,
        run: |metadata| wasm::answers_agree(metadata, wasm::Profile::Dev),
    },
    Suite {
        name: "wasm-release",
        what: "the same, optimised",
        needs: &[Need::Node, Need::WasmTarget],
        optional: TARGET_MISSING,
        runs: Runs::BeforeRelease("optimising takes minutes"),
        writes: None,
        run: |metadata| wasm::answers_agree(metadata, wasm::Profile::Release),
    },
    Suite {
        name: "dist-optimised",
        what: "the same as dist, built as it is released",
        needs: &[Need::Python, Need::Git, Need::Node, Need::Npm, Need::WasmTarget],
        optional: TARGET_MISSING,
        runs: Runs::BeforeRelease("optimising takes minutes"),
        writes: PACKAGES,
        run: dist::optimised,
    },
];

impl Suite {
    /// Lists the needs for the table of suites; empty if there are none.
    pub(super) fn needs(&self) -> String {
        let needs: Vec<_> = self.needs.iter().map(|need| need.name()).collect();
        if needs.is_empty() { String::new() } else { format!(" (needs {})", needs.join(", ")) }
    }

    /// Returns the hash of the files whose change makes this suite run; `None` if no change does.
    pub(super) fn tree_hash(&self, root: &Path) -> Result<Option<String>> {
        match self.runs {
            Runs::After(paths) => tree_hash(root, paths).map(Some),
            Runs::Always | Runs::BeforeRelease(_) => Ok(None),
        }
    }

    /// Returns the reason why the suite need not run on a tree with this hash; `None` if it must run.
    pub(super) fn may_wait(&self, passes: &Passes, hash: Option<&str>) -> Option<String> {
        match self.runs {
            Runs::Always => None,
            Runs::After(_) => {
                let unchanged = hash.is_some_and(|hash| passes.has(self.name, hash));
                unchanged.then(|| format!("no covered file changed since its last pass ({})", unchanged::FILE))
            }
            Runs::BeforeRelease(why) => Some(format!("{why}; `--all` runs it")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use fuzzy_tools::metadata::Metadata;
    use fuzzy_tools::run::root;

    use super::{Passes, Runs, SUITES, Suite};

    /// The packages that each suite builds and tests. `scale` uses only the verb `replay` of the command: the folder of
    /// that verb is covered, and its library is listed here.
    const BUILT: &[(&str, &[&str])] = &[
        ("instructions", &["fuzzy-benches"]),
        ("scale", &["fuzzy-edit-python", "fuzzy-edit"]),
        ("opencode", &["fuzzy-edit-napi", "fuzzy-edit-wasm"]),
        // The suite uses only the server part of the command.
        ("openapi", &["fuzzy-checkpoint-server"]),
        ("targets", &["fuzzy-edit-cli"]),
        ("windows", &["fuzzy-edit-cli"]),
    ];

    fn suite(name: &str) -> &'static Suite {
        SUITES.iter().find(|suite| suite.name == name).unwrap()
    }

    /// Lists the folders of a package and of all its dependencies in the workspace.
    fn folders(metadata: &Metadata, package: &str, folders: &mut BTreeSet<String>) {
        let package = metadata.member(package).unwrap();
        let folder = package.folder.strip_prefix(root()).unwrap().to_str().unwrap();
        if folders.insert(folder.to_owned()) {
            for need in &package.needs {
                self::folders(metadata, need, folders);
            }
        }
    }

    #[test]
    fn a_suite_covers_every_crate_that_it_builds() {
        let metadata = Metadata::load().unwrap();
        let guarded = SUITES.iter().filter(|suite| matches!(suite.runs, Runs::After(_)));
        assert_eq!(guarded.count(), BUILT.len(), "name here what each suite builds");
        for (name, packages) in BUILT {
            let Runs::After(paths) = suite(name).runs else { panic!("{name} always runs") };
            let mut built = BTreeSet::new();
            packages.iter().for_each(|package| folders(&metadata, package, &mut built));
            for folder in built {
                let covered = paths.iter().any(|path| Path::new(&folder).starts_with(path));
                assert!(covered, "{name} is built from {folder}, which it does not cover");
            }
        }
    }

    #[test]
    fn a_suite_waits_only_while_its_files_are_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("xtask")).unwrap();
        let mut passes = Passes::load(folder.path()).unwrap();
        let (always, guarded, release) = (suite("workspace"), suite("scale"), suite("wasm-release"));
        assert!(guarded.may_wait(&passes, Some("1")).is_none());
        passes.record("scale", "1".to_owned()).unwrap();
        assert!(guarded.may_wait(&passes, Some("1")).unwrap().contains("suites.lock"));
        assert!(guarded.may_wait(&passes, Some("2")).is_none());
        assert!(always.may_wait(&passes, None).is_none());
        assert!(release.may_wait(&passes, None).unwrap().contains("--all"));
    }

    #[test]
    fn contributing_lists_the_paths_of_every_suite_that_may_wait() {
        let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
        for suite in SUITES {
            let row = match suite.runs {
                Runs::Always => continue,
                Runs::After(paths) => {
                    let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
                    format!("| `{}` | {} |", suite.name, paths.join(", "))
                }
                Runs::BeforeRelease(_) => format!("| `{}` | only with `--all` |", suite.name),
            };
            assert!(text.contains(&row), "CONTRIBUTING.md lacks the row\n{row}");
        }
    }
}
