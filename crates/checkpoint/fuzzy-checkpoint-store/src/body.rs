//! The body of a message: a text, or JSON that is returned byte for byte.

use std::fmt;
use std::ops::Deref;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The body of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A text.
    Text(String),
    /// JSON, byte for byte.
    Json(String),
}

impl Body {
    /// Returns the text, or the source text of the JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Json(text) => text,
        }
    }
}

impl Deref for Body {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<&str> for Body {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Json(text) => RawValue::from_string(text.clone()).map_err(S::Error::custom)?.serialize(serializer),
        }
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Body {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Body".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A text, or the object or list that was sent.",
            "type": ["string", "object", "array"],
            // Explicit, because generated clients treat an object without listed keys as an empty object.
            "additionalProperties": true,
            "items": true,
        })
    }
}
