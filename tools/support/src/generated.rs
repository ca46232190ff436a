//! The generated parts of documents.

use anyhow::{Context, Result};

/// Replaces the text between the two marker comments of `name`, which names the command.
pub fn replace_block(text: &str, name: &str, command: &str, body: &str) -> Result<String> {
    let begin = format!("<!-- {name}: made by `{command}` -->\n");
    let end = format!("<!-- /{name} -->");
    let (before, rest) = text.split_once(&begin).with_context(|| format!("no line {:?}", begin.trim_end()))?;
    let (_, after) = rest.split_once(&end).with_context(|| format!("no {end:?} after {:?}", begin.trim_end()))?;
    Ok(format!("{before}{begin}\n{}\n\n{end}{after}", body.trim_end()))
}

#[test]
fn replaces_only_the_text_between_the_markers() {
    let text = "a\n<!-- x: made by `y` -->\nold\n<!-- /x -->\nb\n";
    let new = replace_block(text, "x", "y", "| new |\n").unwrap();
    assert_eq!(new, "a\n<!-- x: made by `y` -->\n\n| new |\n\n<!-- /x -->\nb\n");
    assert_eq!(replace_block(&new, "x", "y", "| new |\n").unwrap(), new);
    assert!(replace_block(text, "z", "y", "").is_err());
}
