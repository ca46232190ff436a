//! Our MCP server in TOML settings. All other bytes are kept.

use serde_json::{Map, Value as Json};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use super::edited::Edited;
use crate::item::Entry;

/// Returns the servers at these places.
///
/// # Errors
///
/// The reason why the settings cannot be read.
pub(crate) fn found(text: &str, places: &[Entry]) -> Result<Vec<Entry>, String> {
    let settings = parse(text)?;
    let mut found: Vec<Entry> = Vec::new();
    for place in places {
        let name = place.name.as_deref().unwrap_or_default();
        let table = place.path.iter().try_fold(settings.as_item(), |item, name| item.get(name));
        let is_known = found.iter().any(|other| (&other.path, &other.name) == (&place.path, &place.name));
        if let Some(server) = table.and_then(|table| table.get(name)).filter(|_| !is_known) {
            found.push(Entry { value: json(server), ..place.clone() });
        }
    }
    Ok(found)
}

/// Returns the settings without some servers and with others. A table that is empty then is removed if it is in `made`.
///
/// # Errors
///
/// The reason why the settings cannot be edited.
pub(crate) fn edited(
    text: &str,
    remove: &[Entry],
    add: &[Entry],
    mut made: Vec<Vec<String>>,
) -> Result<Edited, String> {
    let mut settings = parse(text)?;
    for (entry, is_added) in remove.iter().map(|entry| (entry, false)).chain(add.iter().map(|entry| (entry, true))) {
        let (Some(servers), Some(name)) = (entry.path.first(), &entry.name) else { continue };
        let not_a_table = || format!("`{servers}` in the settings is not a table");
        if is_added {
            if settings.get(servers).is_none() {
                let mut table = Table::new();
                table.set_implicit(true);
                settings.insert(servers, Item::Table(table));
                made.push(entry.path.clone());
            }
            let item = settings.get_mut(servers).ok_or_else(not_a_table)?;
            let is_inline = item.is_inline_table();
            let server = server(&entry.value);
            let server = if is_inline { value(server.into_inline_table()) } else { Item::Table(server) };
            item.as_table_like_mut().ok_or_else(not_a_table)?.insert(name, server);
        } else if let Some(table) = settings.get_mut(servers).and_then(Item::as_table_like_mut) {
            table.remove(name);
        }
    }
    made.retain(|path| {
        let is_empty = |name: &String| settings.get(name)?.as_table_like().map(TableLike::is_empty);
        let empty = path.first().filter(|name| is_empty(name) == Some(true));
        empty.is_none_or(|name| settings.remove(name).is_none())
    });
    Ok(Edited { text: settings.to_string(), made })
}

/// Returns the table of a server.
fn server(entry: &Json) -> Table {
    let mut server = Table::new();
    for (name, item) in entry.as_object().into_iter().flatten() {
        match item {
            Json::String(text) => server.insert(name, value(text)),
            Json::Array(words) => server.insert(name, value(words.iter().filter_map(Json::as_str).collect::<Array>())),
            _ => None,
        };
    }
    server
}

/// Returns an item as JSON; a value that no server of ours has is `null`.
fn json(item: &Item) -> Json {
    let word = |value: &Value| value.as_str().map_or(Json::Null, Json::from);
    match item {
        Item::Value(Value::Array(words)) => words.iter().map(word).collect(),
        Item::Value(Value::String(text)) => text.value().as_str().into(),
        _ => item.as_table_like().map_or(Json::Null, |table| {
            Json::Object(table.iter().map(|(name, item)| (name.to_owned(), json(item))).collect::<Map<_, _>>())
        }),
    }
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string())
}
