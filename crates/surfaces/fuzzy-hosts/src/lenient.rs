//! Reads the JSON of an event whose details no parser of ours accepts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// Reads an event. Wrong UTF-8 and halves of surrogate pairs become U+FFFD, and a byte order mark is skipped. A property
/// that cannot be read, such as one with the number `1e999` or with more than 128 levels, is `null`.
///
/// # Errors
///
/// The reason why the event is not a JSON object.
pub(crate) fn read(event: &[u8]) -> Result<Value, serde_json::Error> {
    let text = String::from_utf8_lossy(event);
    let text = without_lone_surrogates(text.trim_start_matches('\u{feff}'));
    serde_json::from_str(&text).or_else(|_| {
        let properties: BTreeMap<String, &RawValue> = serde_json::from_str(&text)?;
        let value = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or(Value::Null);
        Ok(Value::Object(properties.into_iter().map(|(name, raw)| (name, value(raw))).collect()))
    })
}

/// Replaces each escaped half of a surrogate pair that has no other half.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| u16::from_str_radix(text.get(at..at + 6)?.strip_prefix("\\u")?, 16).ok();
    let (mut whole, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.push_str(&text[copied..at]);
                whole.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            // The escaped character is not the start of another escape.
            _ => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    if copied == 0 { text.into() } else { (whole + &text[copied..]).into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    #[test]
    fn odd_events_are_read() {
        let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
        let cases: [(&[u8], _); 8] = [
            (
                br#"{"a":"\ud83d\ude00\ud83d","b":"\udc00\\ud800"}"#,
                json!({ "a": "😀\u{fffd}", "b": "\u{fffd}\\ud800" }),
            ),
            (b"{\"a\":\"\xff\"}", json!({ "a": "\u{fffd}" })),
            (b"\xef\xbb\xbf{\"a\":1}", json!({ "a": 1 })),
            (br#"{"a":1e999,"b":"x"}"#, json!({ "a": null, "b": "x" })),
            (&format!("{{\"a\":{deep},\"b\":\"x\"}}").into_bytes(), json!({ "a": null, "b": "x" })),
            (br#"{"a":"\ud800"}"#, json!({ "a": "\u{fffd}" })),
            (br#"{"\udfff":"\\"}"#, json!({ "\u{fffd}": "\\" })),
            (br#"{"a":"\n\ud800\ud801\udc01"}"#, json!({ "a": "\n\u{fffd}𐐁" })),
        ];
        for (event, expected) in cases {
            assert_eq!(read(event).expect("read"), expected, "{}", String::from_utf8_lossy(event));
        }
        for event in [&b""[..], b"{", b"{\"a\":", b"{} x", b"\xff", b"{\"a\":\"\\", b"{\"\\ud800"] {
            read(event).expect_err("refused");
        }
    }
}
