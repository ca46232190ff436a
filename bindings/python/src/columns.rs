//! The columns of a table of edits, in any of the supported Arrow types.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, StringArray, StringViewArray};
use arrow_schema::{ArrowError, DataType, Schema};
use fuzzy_report::LineQuote;

/// The required columns.
const TEXTS: [&str; 2] = ["content", "new"];
/// The columns of texts that say where. A table needs one of them; a null is an absent one.
const PLACES: [&str; 5] = ["old", "first", "last", "after", "before"];
/// The optional column of the numbers of lines in a range.
const EXPECTED_LINES: &str = "expected_lines";
/// The optional column of pairs of line numbers.
const LINES: &str = "lines";
/// The optional column that requests to replace every match; a null is false.
const REPLACE_ALL: &str = "replace_all";

/// Checks that a table has the required columns; returns the problem if not.
pub(crate) fn check(schema: &Schema) -> Result<(), String> {
    let has_place = PLACES.iter().chain([&LINES]).any(|name| schema.index_of(name).is_ok());
    if !has_place {
        return Err("the table has no column \"old\"".to_owned());
    }
    for name in TEXTS.into_iter().chain(PLACES) {
        let Some(field) = only(schema, name)? else {
            if TEXTS.contains(&name) {
                return Err(format!("the table has no column {name:?}"));
            }
            continue;
        };
        let kind = schema.field(field).data_type();
        if !is_text(kind) {
            let hint =
                if kind.is_floating() { "; a column of pandas that is all NaN is of numbers: cast it" } else { "" };
            return Err(format!("the column {name:?} is of {kind}, not of strings{hint}"));
        }
    }
    for (name, is_numbers, wanted) in [
        (EXPECTED_LINES, is_whole as fn(&DataType) -> bool, "whole numbers"),
        (LINES, is_pair, "pairs of whole numbers"),
    ] {
        let kind = only(schema, name)?.map(|field| schema.field(field).data_type());
        if let Some(other) = kind.filter(|kind| !is_numbers(kind)) {
            return Err(format!("the column {name:?} is of {other}, not of {wanted}"));
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

/// Returns whether a column can have whole numbers; those of pandas with nulls are floats.
fn is_whole(kind: &DataType) -> bool {
    use DataType::{Float64, Int32, Int64, Null, UInt32, UInt64};
    matches!(kind, Int32 | Int64 | UInt32 | UInt64 | Float64 | Null)
}

/// Returns whether a column can have pairs of whole numbers.
fn is_pair(kind: &DataType) -> bool {
    match kind {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, 2) => {
            is_whole(item.data_type())
        }
        DataType::Null => true,
        _ => false,
    }
}

/// The edits of a table, one per row.
pub(crate) struct Edits {
    texts: [Column; 2],
    places: [Option<Column>; 5],
    expected_lines: Option<ArrayRef>,
    lines: Option<ArrayRef>,
    replace_all: Option<BooleanArray>,
    rows: usize,
}

/// One edit of a text.
pub(crate) struct Row<'a> {
    pub(crate) content: &'a str,
    /// The old text; none if `quote` says where.
    pub(crate) old: Option<&'a str>,
    pub(crate) quote: LineQuote,
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
        let [content, new] = TEXTS.map(|name| {
            let column = batch.column_by_name(name).ok_or_else(|| ArrowError::SchemaError(name.to_owned()))?;
            Column::of(column)
        });
        let [old, first, last, after, before] =
            PLACES.map(|name| batch.column_by_name(name).map(Column::of).transpose());
        let numbers = |name| {
            let column = batch.column_by_name(name);
            column.map(|column| checked(column).map(|()| ArrayRef::clone(column))).transpose()
        };
        Ok(Self {
            texts: [content?, new?],
            places: [old?, first?, last?, after?, before?],
            expected_lines: numbers(EXPECTED_LINES)?,
            lines: numbers(LINES)?,
            replace_all: batch.column_by_name(REPLACE_ALL).map(flags).transpose()?.flatten(),
            rows: batch.num_rows(),
        })
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a row, unless its content or its new text is null, or it does not say where in exactly one way.
    pub(crate) fn row(&self, row: usize) -> Option<Row<'_>> {
        let [content, new] = self.texts.each_ref().map(|column| column.text(row));
        let [old, first, last, after, before] =
            self.places.each_ref().map(|column| column.as_ref().and_then(|column| column.text(row)));
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let expected_lines = self.expected_lines.as_ref().map_or(Ok(None), |column| whole(column, row)).ok()?;
        let quote = LineQuote {
            first: owned(first),
            last: owned(last),
            expected_lines,
            after: owned(after),
            before: owned(before),
            lines: self.lines.as_ref().map_or(Ok(None), |column| pair(column, row)).ok()?,
            insert_line: None,
        };
        let replace_all = self.replace_all.as_ref().is_some_and(|column| column.is_valid(row) && column.value(row));
        quote.check(old.is_some(), replace_all).ok()?;
        Some(Row { content: content?, old, quote, new: new?, replace_all })
    }

    /// Returns the number of bytes of the content of a row.
    pub(crate) fn content_bytes(&self, row: usize) -> usize {
        self.texts[0].text(row).map_or(0, str::len)
    }
}

/// A value that is no number of lines.
struct NoCount;

/// Reads a whole number from 0 on, or null; a NaN is null, as pandas writes it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range of the number is checked")]
fn whole(array: &ArrayRef, row: usize) -> Result<Option<usize>, NoCount> {
    if array.is_null(row) {
        return Ok(None);
    }
    let number = match array.data_type() {
        DataType::Int32 => usize::try_from(array.as_primitive::<Int32Type>().value(row)).ok(),
        DataType::Int64 => usize::try_from(array.as_primitive::<Int64Type>().value(row)).ok(),
        DataType::UInt32 => usize::try_from(array.as_primitive::<UInt32Type>().value(row)).ok(),
        DataType::UInt64 => usize::try_from(array.as_primitive::<UInt64Type>().value(row)).ok(),
        DataType::Float64 => match array.as_primitive::<Float64Type>().value(row) {
            number if number.is_nan() => return Ok(None),
            // More lines than a text has are no count.
            number if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) => Some(number as usize),
            _ => None,
        },
        _ => return Ok(None),
    };
    number.map(Some).ok_or(NoCount)
}

/// Reads a pair of line numbers, or null.
fn pair(array: &ArrayRef, row: usize) -> Result<Option<(usize, usize)>, NoCount> {
    if array.is_null(row) {
        return Ok(None);
    }
    let items = match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().value(row),
        DataType::LargeList(_) => array.as_list::<i64>().value(row),
        DataType::FixedSizeList(..) => array.as_fixed_size_list().value(row),
        _ => return Ok(None),
    };
    if items.len() != 2 {
        return Err(NoCount);
    }
    match (whole(&items, 0)?, whole(&items, 1)?) {
        (Some(first), Some(last)) => Ok(Some((first, last))),
        _ => Err(NoCount),
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
