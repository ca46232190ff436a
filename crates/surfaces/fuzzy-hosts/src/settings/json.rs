//! Entries in JSON settings of a host, which may have comments. All other bytes are kept.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};

use super::edited::Edited;
use crate::item::Entry;

/// Returns the entries at these places, in the order of the places: the property with the name of a place, and every
/// element of its list.
///
/// # Errors
///
/// The reason why the settings cannot be read.
pub(crate) fn found(text: &str, places: &[Entry]) -> Result<Vec<Entry>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let Some(top) = parse(text)?.object_value() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let is_known = |other: &Entry| (&other.path, &other.name) == (&place.path, &place.name);
        if !places[..index].iter().any(is_known) {
            let values = nodes(&top, place).into_iter().filter_map(|node| node.to_serde_value());
            found.extend(values.map(|value| Entry { value, ..place.clone() }));
        }
    }
    Ok(found)
}

/// Returns the settings without some entries and with others. Of equal entries in a list, the last is removed. Lists and
/// objects that are empty then are removed if they are in `made`.
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
    if text.trim().is_empty() {
        return Ok(made_of(add));
    }
    let root = parse(text)?;
    let top = root.object_value().ok_or("the settings are not a JSON object")?;
    for entry in remove {
        let own =
            nodes(&top, entry).into_iter().rev().find(|node| node.to_serde_value().as_ref() == Some(&entry.value));
        match (&entry.name, own) {
            (Some(name), Some(_)) => {
                let object = if entry.path.is_empty() {
                    Some(top.clone())
                } else {
                    at(&top, &entry.path).and_then(|node| node.as_object())
                };
                if let Some(property) = object.and_then(|object| object.get(name)) {
                    property.remove();
                }
            }
            (None, Some(element)) => element.remove(),
            (_, None) => {}
        }
    }
    for entry in add {
        append(&top, entry, &mut made)?;
    }
    made.sort_by_key(|path| std::cmp::Reverse(path.len()));
    made.retain(|path| at(&top, path).is_some_and(|node| !remove_empty(&top, path, &node)));
    Ok(Edited { text: root.to_string(), made })
}

/// Adds an entry, and the paths of new objects and lists to `made`.
fn append(top: &CstObject, entry: &Entry, made: &mut Vec<Vec<String>>) -> Result<(), String> {
    let wrong = || format!("`{}` in the settings has another shape", entry.path.join("."));
    let mut object = top.clone();
    for (index, name) in entry.path.iter().enumerate() {
        if object.get(name).is_none() {
            made.push(entry.path[..=index].to_vec());
        }
        if entry.name.is_none() && index + 1 == entry.path.len() {
            let elements = object.array_value_or_create(name).ok_or_else(wrong)?;
            elements.ensure_multiline();
            elements.append(input(&entry.value));
            return Ok(());
        }
        object = object.object_value_or_create(name).ok_or_else(wrong)?;
    }
    let name = entry.name.as_ref().ok_or("the entry has no list")?;
    object.append(name, input(&entry.value));
    Ok(())
}

/// Removes an object or a list if it is empty; returns whether it was. A comment in it is kept.
fn remove_empty(top: &CstObject, path: &[String], node: &CstNode) -> bool {
    let text = node.to_string();
    let Some((name, above)) = path.split_last() else { return false };
    if !["{}", "[]"].contains(&text.split_whitespace().collect::<String>().as_str()) {
        return false;
    }
    let object = if above.is_empty() { Some(top.clone()) } else { at(top, above).and_then(|node| node.as_object()) };
    object.and_then(|object| object.get(name)).map(CstObjectProp::remove).is_some()
}

/// Returns the nodes of an entry's place: the value with its name, or the elements of its list.
fn nodes(top: &CstObject, place: &Entry) -> Vec<CstNode> {
    match &place.name {
        Some(name) => {
            let path: Vec<String> = place.path.iter().chain([name]).cloned().collect();
            at(top, &path).into_iter().collect()
        }
        None => at(top, &place.path).and_then(|node| node.as_array()).map(|list| list.elements()).unwrap_or_default(),
    }
}

/// Returns the value at a path of names.
fn at(top: &CstObject, path: &[String]) -> Option<CstNode> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(top.get(first)?.value()?, |node, name| node.as_object()?.get(name)?.value())
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

/// Returns new settings.
fn made_of(entries: &[Entry]) -> Edited {
    let (mut root, mut made) = (Value::Object(Map::new()), Vec::new());
    for Entry { path, name, value } in entries {
        let mut place = &mut root;
        for (index, name) in path.iter().enumerate() {
            made.push(path[..=index].to_vec());
            place = &mut place[name.as_str()];
        }
        match name {
            Some(name) => place[name.as_str()] = value.clone(),
            None => match place {
                Value::Array(list) => list.push(value.clone()),
                empty => *empty = Value::Array(vec![value.clone()]),
            },
        }
    }
    made.sort();
    made.dedup();
    Edited { text: format!("{root:#}\n"), made }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => value.as_str().into(),
        Value::Array(items) => items.iter().map(input).collect::<Vec<_>>().into(),
        Value::Object(items) => {
            items.iter().map(|(name, value)| (name.clone(), input(value))).collect::<Vec<_>>().into()
        }
    }
}
