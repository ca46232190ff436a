//! The table of suites.

use std::env;
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::run;

use super::{clients, node, python, rust, targets, wasm};
use crate::build::Build;
use crate::needs::{self, Need};
use crate::{instructions, packages};

/// A group of tests that run together.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// The faults that it finds.
    pub(crate) what: &'static str,
    pub(crate) needs: &'static [Need],
    pub(crate) runs: Runs,
    /// The files in the target directory that other suites also write: these suites never run at the same time.
    pub(crate) writes: Option<&'static str>,
    pub(crate) run: fn(&Metadata) -> Result<()>,
}

/// The condition for a run of a suite that was not named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Always; on a machine that lacks the needs, it is left out outside CI.
    Always,
    /// With `--all`, for this reason.
    WithAll(&'static str),
}

use Runs::{Always, WithAll};

/// The folders of wheels and npm packages.
const PACKAGES: Option<&str> = Some("packages");

/// The needs of everything that is built from npm packages with the engine in WebAssembly.
const NPM_AND_WASM: &[Need] = &[needs::NODE, needs::NPM, needs::WASM_TARGET];

/// Every suite, in the order in which they start: the longest first.
pub(crate) const SUITES: &[Suite] = &[
    Suite {
        name: "workspace",
        what: "unit, integration and doc tests of every crate; no snapshot is left over",
        needs: &[needs::GIT, needs::CURL],
        runs: Always,
        writes: None,
        run: rust::workspace,
    },
    Suite {
        name: "python",
        what: "the Python package, also on the cases of the ladders, and its types",
        needs: &[needs::PYTHON, needs::NODE],
        runs: Always,
        writes: None,
        run: python::package,
    },
    // The checks leave a processor idle for a third of their time; beside the tests of the workspace they do not.
    Suite {
        name: "checks",
        what: "everything that is no test, as `cargo xtask ci`: format, lints, docs, features, tracked files",
        needs: &[needs::GIT, needs::PYTHON],
        runs: Always,
        writes: None,
        run: |_| run(Command::new(env::current_exe()?).arg("ci")),
    },
    Suite {
        name: "browser",
        what: "a browser without JavaScript uses the page of the service and that of `replay`, in every width and colour scheme",
        needs: &[needs::GIT, needs::NODE, needs::NPM, needs::CHROMIUM],
        runs: Always,
        writes: None,
        run: clients::browser,
    },
    Suite {
        name: "node",
        what: "the npm package in a new project: the native module and WebAssembly make the edits of the Rust suites",
        needs: &[needs::NODE, needs::NPM, needs::PYTHON, needs::CHROMIUM, needs::WASM_TARGET],
        runs: Always,
        writes: PACKAGES,
        run: node::package,
    },
    Suite {
        name: "default-features",
        what: "the first command of the README, and the verbs that it does not build",
        needs: &[],
        runs: WithAll(
            "it builds the command again; `clippy` checks each feature, and `workspace` tries the README's command",
        ),
        writes: None,
        run: rust::default_features,
    },
    Suite {
        name: "install",
        what: "each line of docs/install.md that works today, in a fresh clone",
        needs: &[needs::GIT, needs::PYTHON],
        runs: WithAll("it builds what `dist` and `default-features` try"),
        writes: None,
        run: rust::install,
    },
    Suite {
        name: "postgres",
        what: "stores, services and restores on a Postgres server",
        needs: &[needs::GIT, needs::POSTGRES],
        runs: Always,
        writes: None,
        run: rust::on_postgres,
    },
    Suite {
        name: "mcp",
        what: "the official TypeScript and Python SDKs edit through the MCP server",
        needs: &[needs::NODE, needs::NPM, needs::PYTHON],
        runs: Always,
        writes: None,
        run: clients::mcp,
    },
    Suite {
        name: "dist",
        what: "the released packages are made (unoptimised), installed in empty folders, and used",
        needs: &[needs::PYTHON, needs::GIT, needs::NODE, needs::NPM, needs::WASM_TARGET],
        runs: WithAll("it builds for another C library; `python`, `node` and `default-features` try the same code"),
        writes: PACKAGES,
        run: |_| packages::made_and_tried(Build::Debug),
    },
    Suite {
        name: "api",
        what: "every public item of the facade is documented, with an example, and listed; refusals help with any features",
        needs: &[needs::PYTHON],
        runs: WithAll("it needs an unstable option of rustdoc, and builds the facade for each feature"),
        writes: None,
        run: rust::api,
    },
    Suite {
        name: "benches",
        what: "every bench once, untimed, so that its answers are checked",
        needs: &[],
        runs: WithAll("it repeats answers that `workspace` checks, and builds every bench"),
        writes: None,
        run: rust::benches,
    },
    Suite {
        name: "playground",
        what: "a browser edits, follows links and opens every example on the playground, by mouse and by keyboard",
        needs: &[needs::NODE, needs::NPM, needs::CHROMIUM, needs::WASM_TARGET],
        runs: WithAll("only changes of the playground and of the engine break it"),
        writes: None,
        run: clients::playground,
    },
    Suite {
        name: "wasm",
        what: "in WebAssembly, every strategy is registered and an edit is decided without a clock, also optimised",
        needs: &[needs::NODE, needs::WASM_TARGET],
        runs: WithAll("`node` runs the engine in WebAssembly; optimising takes minutes"),
        writes: None,
        run: wasm::answers_agree,
    },
    Suite {
        name: "openapi",
        what: "every answer of the API fits its OpenAPI document, and a TypeScript client made from that works",
        needs: &[needs::GIT, needs::NODE, needs::NPM, needs::PYTHON, needs::POSTGRES],
        runs: WithAll("generated requests take minutes"),
        writes: None,
        run: clients::openapi,
    },
    Suite {
        name: "opencode",
        what: "a real opencode edits with the tool of the plugin, and the plugin has opencode's types",
        needs: NPM_AND_WASM,
        runs: WithAll("it downloads opencode"),
        writes: PACKAGES,
        run: node::opencode,
    },
    Suite {
        name: "hosts",
        what: "real hosts with the settings that `init` writes: edits are repaired, counted and explained",
        needs: &[needs::NODE, needs::NPM],
        runs: WithAll("the hosts take 2 GB"),
        writes: None,
        run: node::hosts,
    },
    Suite {
        name: "scale",
        what: "edits and replays on a Spark cluster of two workers, one of which is killed; DuckDB and Polars",
        needs: &[needs::PYTHON, needs::JAVA],
        runs: WithAll("it downloads Spark"),
        writes: PACKAGES,
        run: python::scale,
    },
    Suite {
        name: "instructions",
        what: "no guarded scenario takes over 10 % more instructions than the committed count",
        needs: &[needs::VALGRIND],
        runs: WithAll("valgrind takes minutes"),
        writes: None,
        run: |_| {
            if instructions::are_comparable()? {
                return instructions::run(&instructions::Arguments { write: false });
            }
            println!("left out: the committed counts are for another set of instructions");
            Ok(())
        },
    },
    Suite {
        name: "targets",
        what: "the command compiles for every system that it is made for",
        needs: &[needs::PYTHON, needs::MINGW],
        runs: WithAll("six builds take minutes"),
        writes: None,
        run: targets::suite,
    },
    Suite {
        name: "windows",
        what: "under Wine, files are written safely and every verb works (tools/cross/try.sh)",
        needs: &[needs::MINGW, needs::WINE],
        runs: WithAll("it takes minutes; ci.yml runs the tests on Windows"),
        writes: None,
        run: |_| targets::try_out("windows"),
    },
    Suite {
        name: "arm",
        what: "under QEMU, the engine passes its tests and the command edits on arm64 (tools/cross/try.sh)",
        needs: &[needs::PYTHON, needs::QEMU],
        runs: WithAll("an emulated processor takes minutes; ci.yml runs the tests on arm64"),
        writes: None,
        run: |_| targets::try_out("arm"),
    },
    Suite {
        name: "dist-optimised",
        what: "the same as `dist`, built as for a release",
        needs: &[needs::PYTHON, needs::GIT, needs::NODE, needs::NPM, needs::WASM_TARGET],
        runs: WithAll("optimising takes minutes"),
        writes: PACKAGES,
        run: |_| packages::made_and_tried(Build::Shipped),
    },
];

/// Returns the suite with this name.
pub(crate) fn suite(name: &str) -> Option<&'static Suite> {
    SUITES.iter().find(|suite| suite.name == name)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_tools::run::root;

    use super::{Runs, SUITES};

    #[test]
    fn the_workflow_runs_every_suite_that_is_left_out_by_default() {
        let workflow = fs::read_to_string(root().join(".github/workflows/ci.yml")).unwrap();
        for suite in SUITES.iter().filter(|suite| suite.runs != Runs::Always) {
            // A suite for another system has a job on that system; the two releases are made before a release.
            let has_job = workflow.contains(&format!("            {}:\n", suite.name));
            assert!(
                has_job || ["windows", "arm", "dist-optimised", "hosts"].contains(&suite.name),
                "ci.yml has no paths for the suite {}",
                suite.name
            );
        }
    }
}
