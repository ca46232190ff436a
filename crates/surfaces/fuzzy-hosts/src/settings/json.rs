//! Our entries in JSON settings of a host, which may have comments. All other bytes are kept.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use crate::item::{Entry, NAME, is_own_name};

/// Returns the settings with these entries of a host and none of our others.
///
/// # Errors
///
/// The reason why the settings cannot be edited.
pub(crate) fn with(text: Option<&str>, host: &str, entries: &[Entry]) -> Result<String, String> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(made_of(entries)) };
    let root = parse(text)?;
    let object = root.object_value().ok_or("the settings are not a JSON object")?;
    let own = entries.iter().filter(|entry| entry.is_own()).count();
    if entries.iter().all(|entry| has(&object, entry)) && ours(&object.into(), host) == own {
        return Ok(text.to_owned());
    }
    let root = parse(&without(text, host)?)?;
    let top = root.object_value_or_create().ok_or("the settings are not a JSON object")?;
    for entry in entries.iter().filter(|entry| entry.is_own() || !has(&top, entry)) {
        let mut object = top.clone();
        let wrong = || format!("`{}` in the settings has another shape", entry.path.join("."));
        let (array, objects) = match &entry.name {
            Some(_) => (None, &entry.path[..]),
            None => entry.path.split_last().map_or((None, &[][..]), |(last, above)| (Some(last), above)),
        };
        for name in objects {
            object = object.object_value_or_create(name).ok_or_else(wrong)?;
        }
        match (&entry.name, array) {
            (Some(name), _) => {
                object.append(name, input(&entry.value));
            }
            (None, Some(array)) => {
                let elements = object.array_value_or_create(array).ok_or_else(wrong)?;
                elements.ensure_multiline();
                elements.append(input(&entry.value));
            }
            (None, None) => return Err("the entry has no list".to_owned()),
        }
    }
    Ok(root.to_string())
}

/// Returns the settings without our entries of a host, and without lists and objects that are empty then.
///
/// # Errors
///
/// The reason why the settings cannot be edited.
pub(crate) fn without(text: &str, host: &str) -> Result<String, String> {
    let root = parse(text)?;
    if let Some(value) = root.value() {
        remove(&value, host);
    }
    Ok(root.to_string())
}

/// Returns the command lines of our entries of a host.
pub(crate) fn commands(text: &str, host: &str) -> Vec<String> {
    fn collect(value: &Value, host: &str, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, host, found)),
            Value::Object(items) => {
                let command = items.get("command").or_else(|| items.get("bash")).and_then(Value::as_str);
                found.extend(command.filter(|command| calls(command, host)).map(str::to_owned));
                items.values().for_each(|item| collect(item, host, found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let Some(settings) = parse(text).ok().and_then(|root| root.to_serde_value()) {
        collect(&settings, host, &mut found);
    }
    found
}

/// Returns whether a command line calls us for a host.
fn calls(command: &str, host: &str) -> bool {
    command.contains(NAME) && command.contains(&format!(" hook {host} "))
}

/// Returns the number of our entries of a host.
///
/// # Errors
///
/// The reason why the settings cannot be read.
pub(crate) fn count(text: &str, host: &str) -> Result<usize, String> {
    Ok(parse(text)?.value().map_or(0, |value| ours(&value, host)))
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

/// Returns new settings.
fn made_of(entries: &[Entry]) -> String {
    let mut root = Value::Object(Map::new());
    for Entry { path, name, value } in entries {
        let mut place = &mut root;
        for name in path {
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
    format!("{root:#}\n")
}

/// Returns whether settings contain exactly this entry.
fn has(root: &CstObject, entry: &Entry) -> bool {
    let Some(root) = root.to_serde_value() else { return false };
    let place = entry.path.iter().try_fold(&root, |value, name| value.get(name.as_str()));
    match (place, &entry.name) {
        (Some(place), Some(name)) => place.get(name.as_str()) == Some(&entry.value),
        (Some(Value::Array(list)), None) => list.contains(&entry.value),
        _ => false,
    }
}

/// Returns the number of our entries below a node.
fn ours(node: &CstNode, host: &str) -> usize {
    if let Some(array) = node.as_array() {
        return array.elements().iter().map(|item| usize::from(is_ours(item, host)).max(ours(item, host))).sum();
    }
    let Some(object) = node.as_object() else { return 0 };
    let properties = object.properties().into_iter();
    properties
        .map(|property| match property.value() {
            _ if property.decoded_name().is_some_and(|name| is_own_name(&name)) => 1,
            Some(value) => ours(&value, host),
            None => 0,
        })
        .sum()
}

/// Removes our entries below a node. Returns whether any were removed and the rest of the node has no use.
fn remove(node: &CstNode, host: &str) -> bool {
    if let Some(array) = node.as_array() {
        let items = array.elements();
        let gone = items.into_iter().filter(|item| is_ours(item, host) || remove(item, host));
        return gone.map(CstNode::remove).count() > 0 && CstArray::elements(&array).is_empty();
    }
    let Some(object) = node.as_object() else { return false };
    let (mut some, mut is_group) = (false, false);
    for property in object.properties() {
        let name = property.decoded_name().unwrap_or_default();
        if is_own_name(&name) || property.value().is_some_and(|value| remove(&value, host)) {
            // The rest of a group of hooks only names the tools that they were for.
            is_group |= name == "hooks" && node.parent().is_some_and(|parent| parent.is_array());
            property.remove();
            some = true;
        }
    }
    is_group || some && object.properties().is_empty()
}

/// Returns whether an element of a list calls us for a host.
fn is_ours(node: &CstNode, host: &str) -> bool {
    let Some(Value::Object(item)) = node.to_serde_value() else { return false };
    item.get("command").and_then(Value::as_str).is_some_and(|command| calls(command, host))
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
