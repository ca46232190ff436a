//! The tables of `docs/accuracy.md`.

use std::fs;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::run::root;
use fuzzy_tools::table::Table;

use crate::cases::CaseFile;
use crate::eval::patches::{PatchFile, PatchRun};
use crate::eval::run::{DETAILED, Run};
use crate::eval::{lines, tables};

/// The command that writes the tables.
const COMMAND: &str = "cargo xtask eval --write";

const DOCUMENT: &str = "docs/accuracy.md";

/// The names of the document's tables.
const TABLES: [&str; 4] = ["cases", "lines", "ladders", "reliability"];

/// Rewrites the tables; keeps the text around them.
pub(crate) fn write(
    files: &[CaseFile],
    patch_files: &[PatchFile],
    ladders: &[String],
    runs: Vec<Run<'_>>,
    patches: Vec<PatchRun<'_>>,
) -> Result<()> {
    let all = tables::ladders(&runs);
    let detailed: Vec<Run<'_>> = runs.into_iter().filter(|run| run.ladder == DETAILED).collect();
    ensure!(!detailed.is_empty(), "docs/accuracy.md is about the ladder {DETAILED}; rate it too");
    let patches: Vec<PatchRun<'_>> = patches.into_iter().filter(|run| run.ladder == DETAILED).collect();
    let bodies = [
        provenance(files, patch_files, ladders),
        lines::lines(&detailed, &patches),
        all,
        tables::reliability(&detailed),
    ];
    let path = root().join(DOCUMENT);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let text = placed(text, &bodies).with_context(|| format!("cannot place the tables in {DOCUMENT}"))?;
    fs::write(&path, text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    eprintln!("{DOCUMENT} written");
    Ok(())
}

/// Returns the names of the rated cases, never their content.
fn provenance(files: &[CaseFile], patch_files: &[PatchFile], ladders: &[String]) -> String {
    let mut table = Table::new(2, &["cases", "SHA-256 of the file", "number"]);
    for file in files {
        table.row(vec![file.name.clone(), file.sha256.clone(), file.cases.len().to_string()]);
    }
    for file in patch_files {
        table.row(vec![file.name.clone(), file.sha256.clone(), format!("{} patches", file.patches())]);
    }
    let names = files.iter().map(|file| file.name.as_str());
    let names: Vec<&str> = names.chain(patch_files.iter().map(|file| file.name.as_str())).collect();
    let ladders = if ladders.is_empty() { String::new() } else { format!(" --ladder {}", ladders.join(",")) };
    format!("`cargo xtask eval {}{ladders} --write`\n\n{}", names.join(" "), table.render())
}

/// Inserts a body into each of the document's tables.
fn placed(text: String, bodies: &[String; TABLES.len()]) -> Result<String> {
    TABLES.iter().zip(bodies).try_fold(text, |text, (name, body)| replace_block(&text, name, COMMAND, body))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_tools::run::root;

    use super::{COMMAND, DOCUMENT, TABLES, placed};

    #[test]
    fn the_document_has_every_table_and_no_other() {
        let text = fs::read_to_string(root().join(DOCUMENT)).unwrap();
        assert_eq!(text.matches(&format!(": made by `{COMMAND}` -->")).count(), TABLES.len());
        let bodies = TABLES.map(|name| format!("the table {name}"));
        let text = placed(text, &bodies).unwrap();
        for body in bodies {
            assert_eq!(text.matches(&body).count(), 1, "{body}");
        }
    }
}
