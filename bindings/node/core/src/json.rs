//! Writes answers as JSON.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Writes numbers with `Display`, which the messages use anyway: a second algorithm would enlarge the WebAssembly
/// module by its tables.
struct Plain;

impl Formatter for Plain {
    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> Result<()> {
        write!(writer, "{value}")
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> Result<()> {
        write!(writer, "{value}")
    }
}

/// Returns the value as JSON. Only a map with keys that are not strings would fail, and the answers contain none.
pub(crate) fn json(value: &impl Serialize) -> String {
    let mut json = Vec::with_capacity(128);
    match value.serialize(&mut Serializer::with_formatter(&mut json, Plain)) {
        Ok(()) => String::from_utf8(json).unwrap_or_default(),
        Err(error) => format!("{{\"error\":{:?}}}", error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn numbers_are_those_that_were_written() {
        for number in
            [0.0, 1.0, -0.5, 0.1 + 0.2, 1.0 / 3.0, f64::from(0.1_f32), 1e-9, 1e21, f64::MAX, f64::MIN_POSITIVE]
        {
            assert_eq!(json(&number).parse::<f64>().map(f64::to_bits), Ok(number.to_bits()));
        }
        assert_eq!(json(&[f64::NAN, f64::INFINITY]), "[null,null]");
        assert_eq!(json(&0.1_f32), "0.1");
    }
}
