//! Checks that the workflows use commands that exist.

use std::fs;

use anyhow::{Context, Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::root;

const FOLDER: &str = ".github/workflows";

/// Fails and names every line of a workflow that could not be carried out.
pub(super) fn check(xtask: &clap::Command, metadata: &Metadata) -> Result<()> {
    let mut broken = Vec::new();
    for file in fs::read_dir(root().join(FOLDER)).with_context(|| format!("cannot read {FOLDER}"))? {
        let path = file?.path();
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        broken
            .extend(faults(&text, xtask, metadata).into_iter().map(|(line, fault)| format!("{name}:{line}: {fault}")));
    }
    if !broken.is_empty() {
        bail!("{}", broken.join("; "));
    }
    Ok(())
}

/// Returns the faults of the lines of a workflow.
fn faults(text: &str, xtask: &clap::Command, metadata: &Metadata) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start().trim_start_matches("- ");
        let mut commands = line.strip_prefix("run: ").unwrap_or(line).split(" && ");
        let fault = commands.find_map(|command| cargo(command, xtask, metadata));
        faults.extend(fault.map(|fault| (index + 1, fault)));
    }
    faults
}

/// Returns the fault of a command of cargo.
fn cargo(command: &str, xtask: &clap::Command, metadata: &Metadata) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches('"')).collect();
    let arguments = words.strip_prefix(&["cargo"])?;
    if let Some(at) = arguments.iter().position(|word| *word == "xtask") {
        return xtask.clone().try_get_matches_from(&arguments[at..]).err().map(|error| error.to_string());
    }
    let mut packages = arguments.windows(2).filter(|pair| matches!(pair[0], "-p" | "--package"));
    packages.find_map(|pair| metadata.member(pair[1]).err()).map(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use fuzzy_tools::metadata::Metadata;

    use super::{check, faults};

    #[test]
    fn the_workflows_can_be_carried_out() {
        check(&crate::Command::command(), &Metadata::load().unwrap()).unwrap();
    }

    #[test]
    fn commands_that_do_not_exist_are_found() {
        let metadata = Metadata::load().unwrap();
        for (line, is_broken) in [
            ("      - run: cargo --locked xtask test workspace", false),
            ("      - run: cargo --locked xtask dist --all-targets --from \"$RELEASE\"", false),
            ("        cargo --locked xtask ci", false),
            ("      - run: cargo test -p fuzzy-core", false),
            ("      - run: echo cargo", false),
            ("      - run: cargo --locked xtask tests", true),
            ("      - run: cargo --locked xtask test work", true),
            ("      - run: true && cargo xtask dist --everything", true),
            ("      - run: cargo test -p fuzzy-cor", true),
        ] {
            let faults = faults(line, &crate::Command::command(), &metadata);
            assert_eq!(faults.len(), usize::from(is_broken), "{line}: {faults:?}");
        }
    }
}
