//! Our MCP server in TOML settings. All other bytes are kept.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::item::NAME;

/// Returns the settings with our server in a table of servers.
///
/// # Errors
///
/// The reason why the settings cannot be edited.
pub(crate) fn with(text: &str, servers: &str, program: &str) -> Result<String, String> {
    let mut settings = parse(text)?;
    let table = settings.entry(servers).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let table = table.as_table_mut().ok_or_else(|| format!("`{servers}` in the settings is not a table"))?;
    let is_there = table.get(NAME).and_then(|server| server.get("command")?.as_str()) == Some(program);
    if !is_there {
        let mut server = Table::new();
        server.insert("command", value(program));
        server.insert("args", value(Array::from_iter(["mcp"])));
        table.insert(NAME, Item::Table(server));
    }
    Ok(settings.to_string())
}

/// Returns the settings without our server.
///
/// # Errors
///
/// The reason why the settings cannot be edited.
pub(crate) fn without(text: &str, servers: &str) -> Result<String, String> {
    let mut settings = parse(text)?;
    if let Some(table) = settings.get_mut(servers).and_then(Item::as_table_mut) {
        table.remove(NAME);
        if table.is_empty() {
            settings.remove(servers);
        }
    }
    Ok(settings.to_string())
}

/// Returns whether the settings have our server.
///
/// # Errors
///
/// The reason why the settings cannot be read.
pub(crate) fn has(text: &str, servers: &str) -> Result<bool, String> {
    Ok(parse(text)?.get(servers).is_some_and(|table| table.get(NAME).is_some()))
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string())
}
