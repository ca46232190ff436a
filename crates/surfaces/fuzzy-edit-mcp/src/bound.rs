//! Limits the length of answers: hosts put all of an answer into the context of a model.

use serde_json::{Map, Value};

/// The most bytes of JSON in the data of an answer: a model reads it, and the text has what it needs.
const DATA: usize = 2 << 10;

/// The most bytes of JSON in the text of an answer: only previews and diffs are that long.
const TEXT: usize = 56 << 10;

/// Members that no model uses, and that may be long. The text of a preview has the diff.
pub(crate) const UNUSED: [&str; 3] = ["diff", "patch", "file_hash"];

/// The numbers of items of a list and characters of a text to keep; the first pair with a short enough result is used.
const STEPS: [(usize, usize); 5] = [(30, 1 << 10), (10, 300), (5, 150), (2, 100), (1, 40)];

/// The member with the counts of what was left out.
pub(crate) const LEFT_OUT: &str = "left_out";

/// Returns the data and the text of an answer, cut if they are too long, with counts of what was left out.
pub(crate) fn both(data: Value, text: String) -> (Value, String) {
    (data_within(data), text_within(text))
}

fn data_within(mut data: Value) -> Value {
    remove_unused(&mut data);
    for (items, characters) in STEPS {
        if length(&data) <= DATA {
            break;
        }
        cut(&mut data, items, characters);
    }
    data
}

/// Removes the members that no model uses.
fn remove_unused(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(remove_unused),
        Value::Object(object) => {
            object.retain(|name, _| !UNUSED.contains(&name.as_str()));
            object.values_mut().for_each(remove_unused);
        }
        _ => {}
    }
}

fn text_within(text: String) -> String {
    if length(&Value::from(text.as_str())) <= TEXT {
        return text;
    }
    let (mut kept, mut bytes) = (0, 0);
    for c in text.chars() {
        bytes += if c.is_ascii() && !c.is_control() && c != '"' && c != '\\' { 1 } else { 6 };
        if bytes > TEXT {
            break;
        }
        kept += c.len_utf8();
    }
    format!("{}\n({} more characters)", &text[..kept], text[kept..].chars().count())
}

fn length(value: &Value) -> usize {
    serde_json::to_string(value).map_or(0, |json| json.len())
}

/// Cuts lists and texts; adds to every object the counts of what was left out of its members.
fn cut(value: &mut Value, items: usize, characters: usize) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|item| cut(item, items, characters)),
        Value::Object(object) => {
            // A proposal that is cut would be a wrong edit.
            if object.get("proposal").is_some_and(|proposal| length(proposal) > characters) {
                object.insert("proposal".to_owned(), Value::Null);
                leave_out(object, "proposal", 1);
            }
            let mut left = Vec::new();
            for (name, member) in object.iter_mut().filter(|(name, _)| *name != LEFT_OUT) {
                match member {
                    Value::Array(list) if list.len() > items => {
                        left.push((name.clone(), list.len() - items));
                        list.truncate(items);
                    }
                    Value::String(text) => {
                        if let Some((at, _)) = text.char_indices().nth(characters) {
                            left.push((name.clone(), text[at..].chars().count()));
                            text.truncate(at);
                        }
                    }
                    _ => {}
                }
                cut(member, items, characters);
            }
            for (name, count) in left {
                leave_out(object, &name, count);
            }
        }
        _ => {}
    }
}

/// Adds to the count of what was left out of a member.
fn leave_out(object: &mut Map<String, Value>, name: &str, count: usize) {
    let counts = object.entry(LEFT_OUT).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(counts) = counts {
        let before = counts.get(name).and_then(Value::as_u64).unwrap_or(0);
        counts.insert(name.to_owned(), (before + count as u64).into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{both, length};

    #[test]
    fn a_long_answer_is_cut_and_says_by_how_much() {
        let edits = (0..20_000)
            .map(|at| json!({"file_path": format!("{at}"), "note": "+x\n".repeat(500), "diff": "", "proposal": null}))
            .collect::<Vec<_>>();
        let data = json!({"status": "applied", "edits": edits});
        let (cut, text) = both(data, "line \u{1}\n".repeat(100_000));
        let kept = cut["edits"].as_array().unwrap().len();
        assert_eq!(cut["left_out"]["edits"], json!(20_000 - kept));
        assert!(length(&cut) <= 2 << 10 && length(&Value::from(text.as_str())) <= 57 << 10);
        assert!(text.ends_with(" more characters)"));
        let first = &cut["edits"][0];
        let note = first["note"].as_str().unwrap().len() as u64;
        assert_eq!((note + first["left_out"]["note"].as_u64().unwrap_or(0), first.get("diff")), (1500, None));
    }

    #[test]
    fn a_short_answer_is_not_changed() {
        let data = json!({"status": "failed", "proposal": {"old_string": "a", "new_string": "b"}});
        assert_eq!(both(data.clone(), "text".to_owned()), (data, "text".to_owned()));
    }

    #[test]
    fn a_long_proposal_is_left_out() {
        let long = "x".repeat(300 << 10);
        let (cut, _) = both(json!({"proposal": {"old_string": "a", "new_string": long}}), String::new());
        assert_eq!((&cut["proposal"], &cut["left_out"]["proposal"]), (&Value::Null, &json!(1)));
    }
}
