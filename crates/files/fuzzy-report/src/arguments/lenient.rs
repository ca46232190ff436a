//! Reads arguments in the forms that models send: `"true"` is a boolean, `"5"` is a number, `null` is a missing value.

use std::iter::Peekable;

use serde::de::value::SeqDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Value, map};

/// The treatment of a property that the shape does not have.
#[derive(Clone, Copy)]
pub(super) enum Unknown {
    /// The read fails with an error that names the property.
    Refused,
    /// A property with a string value, such as `"explanation"`, is a remark and is ignored. Any other type is an error,
    /// because an ignored `dry_run` would write a file.
    Remark,
}

/// Reads an object of a known shape.
///
/// # Errors
///
/// Returns an error that names the unreadable property.
pub(super) fn read<T: DeserializeOwned>(arguments: Map<String, Value>, unknown: Unknown) -> Result<T, Error> {
    T::deserialize(Shape { arguments, unknown })
}

/// The properties of an object, as a deserializer that reads each value leniently.
struct Shape {
    arguments: Map<String, Value>,
    unknown: Unknown,
}

impl<'de> Deserializer<'de> for Shape {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let is_remark = |value: &Value| matches!(self.unknown, Unknown::Remark) && value.is_string();
        let mut fields = self.arguments;
        fields.retain(|name, value| !value.is_null() && (known.contains(&name.as_str()) || !is_remark(value)));
        visitor.visit_map(Fields(fields.into_iter().peekable()))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        Value::Object(self.arguments).deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The unread properties; the first one is removed only when its value is read.
struct Fields(Peekable<map::IntoIter>);

impl<'de> MapAccess<'de> for Fields {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.0.peek().map(|(name, _)| seed.deserialize(name.as_str().into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (name, value) = self.0.next().ok_or_else(|| Error::custom("a property has no value"))?;
        seed.deserialize(Lenient(value)).map_err(|error| Error::custom(format!("`{name}`: {error}")))
    }
}

/// A value that also reads as the boolean or number in its text.
struct Lenient(Value);

impl Lenient {
    /// Returns the boolean or the number that a string contains; returns any other value unchanged.
    fn unquoted(self) -> Value {
        let Value::String(text) = &self.0 else { return self.0 };
        match serde_json::from_str(&text.trim().to_ascii_lowercase()) {
            Ok(value @ (Value::Bool(_) | Value::Number(_))) => value,
            _ => self.0,
        }
    }
}

impl<'de> Deserializer<'de> for Lenient {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(Lenient))),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.unquoted().deserialize_bool(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.unquoted().deserialize_u64(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Lenient {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
