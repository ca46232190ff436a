//! The columns of a table of edits, in any of the supported Arrow types.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, StringArray, StringViewArray};
use arrow_schema::{ArrowError, DataType, Schema};

/// The required columns.
const TEXTS: [&str; 3] = ["content", "old", "new"];
/// The optional column that requests to replace every match; a null is false.
const REPLACE_ALL: &str = "replace_all";

/// Checks that a table has the required columns; returns the problem if not.
pub(crate) fn check(schema: &Schema) -> Result<(), String> {
    for name in TEXTS {
        let field = only(schema, name)?.ok_or_else(|| format!("the table has no column {name:?}"))?;
        let kind = schema.field(field).data_type();
        if !is_text(kind) {
            let hint =
                if kind.is_floating() { "; a column of pandas that is all NaN is of numbers: cast it" } else { "" };
            return Err(format!("the column {name:?} is of {kind}, not of strings{hint}"));
        }
    }
    match only(schema, REPLACE_ALL)?.map(|field| schema.field(field).data_type()) {
        // In pandas a column of NaN alone has floats. The schema does not show the values: `flags` checks them.
        None | Some(DataType::Boolean | DataType::Null | DataType::Float64) => Ok(()),
        Some(other) => Err(format!("the column {REPLACE_ALL:?} is of {other}, not of booleans")),
    }
}

/// Returns the index of the column of that name, if there is one.
pub(crate) fn only(schema: &Schema, name: &str) -> Result<Option<usize>, String> {
    let mut found = schema.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
    let first = found.next().map(|(index, _)| index);
    if found.next().is_some() { Err(format!("the table has several columns {name:?}")) } else { Ok(first) }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The edits of a table, one per row.
pub(crate) struct Edits {
    texts: [Column; 3],
    replace_all: Option<BooleanArray>,
    rows: usize,
}

/// One edit of a text.
pub(crate) struct Row<'a> {
    pub(crate) content: &'a str,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) replace_all: bool,
}

impl Edits {
    /// Reads the columns of a part of a table whose schema was [checked](check).
    ///
    /// # Errors
    ///
    /// The problem with the columns. Their memory comes from other code, so all of it is validated.
    pub(crate) fn of(batch: &RecordBatch) -> Result<Self, ArrowError> {
        let [content, old, new] = TEXTS.map(|name| {
            let column = batch.column_by_name(name).ok_or_else(|| ArrowError::SchemaError(name.to_owned()))?;
            Column::of(column)
        });
        let replace_all = batch.column_by_name(REPLACE_ALL).map(flags).transpose()?.flatten();
        Ok(Self { texts: [content?, old?, new?], replace_all, rows: batch.num_rows() })
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a row, unless one of its texts is null.
    pub(crate) fn row(&self, row: usize) -> Option<Row<'_>> {
        let [content, old, new] = self.texts.each_ref().map(|column| column.text(row));
        let replace_all = self.replace_all.as_ref().is_some_and(|column| column.is_valid(row) && column.value(row));
        Some(Row { content: content?, old: old?, new: new?, replace_all })
    }
}

/// Reads a column of booleans; returns `None` if all of it is null or NaN.
fn flags(array: &ArrayRef) -> Result<Option<BooleanArray>, ArrowError> {
    checked(array)?;
    match array.data_type() {
        DataType::Boolean => Ok(Some(array.as_boolean().clone())),
        DataType::Float64 if !array.as_primitive::<Float64Type>().iter().flatten().all(f64::is_nan) => {
            Err(ArrowError::SchemaError(format!("the column {REPLACE_ALL:?} has numbers, not booleans")))
        }
        _ => Ok(None),
    }
}

/// A column of strings.
enum Column {
    Short(StringArray),
    Long(LargeStringArray),
    View(StringViewArray),
    /// The row of the dictionary for each row.
    Keys(Vec<Option<usize>>, Box<Column>),
    Null,
}

impl Column {
    fn of(array: &ArrayRef) -> Result<Self, ArrowError> {
        checked(array)?;
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Short(array.as_string::<i32>().clone()),
            DataType::LargeUtf8 => Self::Long(array.as_string::<i64>().clone()),
            DataType::Utf8View => Self::View(array.as_string_view().clone()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = dictionary.values();
                // In an empty dictionary every key is null.
                let keys = if values.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
                let keys = keys.into_iter().enumerate().map(|(row, key)| dictionary.is_valid(row).then_some(key));
                Self::Keys(keys.collect(), Box::new(Self::of(values)?))
            }
            _ => Self::Null,
        })
    }

    fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Short(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Long(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Keys(keys, values) => values.text(keys[row]?),
            Self::Null => None,
        }
    }
}

/// Validates every length, offset, key and byte of a column.
fn checked(array: &ArrayRef) -> Result<(), ArrowError> {
    array.to_data().validate_full()
}
