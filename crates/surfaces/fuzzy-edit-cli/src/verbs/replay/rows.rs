//! Reads the rows of a Parquet file, a few at a time.

use std::borrow::Cow;
use std::fs::File;
use std::io;

use fuzzy_edit::LineQuote;
use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::SchemaDescriptor;
use serde_json::Value as Json;

use super::case::{Case, Label};
use super::groups::{self, Columns};
use super::record::{At, Item, Line, Record};

/// The number of rows to hold at a time. It is small because a row may have texts of many megabytes.
const ROWS: usize = 16;

/// The columns to read.
const COLUMNS: [&str; 17] = [
    "id",
    "content",
    "old",
    "new",
    "replace_all",
    "line",
    "expected",
    "expected_kind",
    "accept_noop",
    "drift",
    "edit_hash",
    "first",
    "last",
    "after",
    "before",
    "expected_lines",
    LINES,
];

/// The column of pairs of line numbers.
const LINES: &str = "lines";

/// The columns that say where; a file has one of them.
const PLACES: [&str; 5] = ["old", "first", "after", "before", LINES];

/// A value of a row.
#[derive(Clone)]
enum Cell {
    /// The column does not exist.
    Absent,
    Null,
    Text(ByteArray),
    Flag(bool),
    Number(i64),
    /// The numbers of a list.
    Numbers(Vec<i64>),
}

/// Passes every row of a file to `sink`, with its values of `wanted`; returns whether to continue with the next file.
pub(super) fn each(
    file: File,
    wanted: &Columns,
    at: &mut At,
    sink: &mut impl FnMut(Item) -> bool,
) -> Result<bool, ParquetError> {
    let file = SerializedFileReader::try_from(file)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let has_place = PLACES.iter().any(|name| find(&schema, name).is_some());
    for name in ["content", "old", "new"] {
        if find(&schema, name).is_none() && !(name == "old" && has_place) {
            return Err(ParquetError::General(format!("there is no column `{name}`")));
        }
    }
    let existing = |name| find(&schema, name).map_or_else(|| groups::other_name(name).unwrap_or(name), |_| name);
    let grouped: Vec<&str> = wanted.names().iter().map(|name| existing(name)).collect();
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        let mut left = usize::try_from(group.metadata().num_rows())?;
        let mut columns = Vec::with_capacity(COLUMNS.len() + grouped.len());
        for name in COLUMNS {
            columns.push(Column::open(&*group, &schema, name, types(name))?);
        }
        for name in &grouped {
            columns.push(Column::open(
                &*group,
                &schema,
                name,
                &[Type::BYTE_ARRAY, Type::INT32, Type::INT64, Type::BOOLEAN],
            )?);
        }
        while left > 0 {
            let rows = left.min(ROWS);
            let mut cells = columns.iter_mut().map(|column| column.read(rows)).collect::<Result<Vec<_>, _>>()?;
            left -= rows;
            for row in 0..rows {
                at.line += 1;
                let row = cells.iter_mut().map(|column| std::mem::replace(&mut column[row], Cell::Null));
                if !sink(item(at, row.collect())) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Returns the index of a column with one value, or null, in each row; for pairs of line numbers with a list.
fn find(schema: &SchemaDescriptor, name: &str) -> Option<usize> {
    let level = i16::from(name == LINES);
    let is_here =
        |parts: &[String]| parts.first().is_some_and(|first| first == name) && (level > 0 || parts.len() == 1);
    schema.columns().iter().position(|column| is_here(column.path().parts()) && column.max_rep_level() == level)
}

/// Returns the types that a column may have.
fn types(name: &str) -> &'static [Type] {
    match name {
        "id" => &[Type::BYTE_ARRAY, Type::INT32, Type::INT64],
        "line" | "expected_lines" | LINES => &[Type::INT32, Type::INT64],
        "replace_all" | "accept_noop" => &[Type::BOOLEAN],
        _ => &[Type::BYTE_ARRAY],
    }
}

/// A column and its reader.
struct Column<'n> {
    name: &'n str,
    reader: Option<ColumnReader>,
    /// The definition level of a value that is not null.
    level: i16,
}

impl<'n> Column<'n> {
    fn open(
        group: &dyn RowGroupReader,
        schema: &SchemaDescriptor,
        name: &'n str,
        wanted: &[Type],
    ) -> Result<Self, ParquetError> {
        let Some(index) = find(schema, name) else { return Ok(Self { name, reader: None, level: 0 }) };
        let column = schema.column(index);
        // An id or a group that is neither text nor a whole number is ignored.
        if !wanted.contains(&column.physical_type()) {
            return match wanted.len() {
                3.. => Ok(Self { name, reader: None, level: 0 }),
                _ => Err(ParquetError::General(format!("the column `{name}` is of {}", column.physical_type()))),
            };
        }
        let reader = Some(group.get_column_reader(index)?);
        Ok(Self { name, reader, level: column.max_def_level() })
    }

    fn read(&mut self, rows: usize) -> Result<Vec<Cell>, ParquetError> {
        let cells = match &mut self.reader {
            Some(ColumnReader::Int64ColumnReader(reader)) if self.name == LINES => lists(reader, self.level, rows)?,
            Some(ColumnReader::Int32ColumnReader(reader)) if self.name == LINES => lists(reader, self.level, rows)?,
            Some(ColumnReader::ByteArrayColumnReader(reader)) => read(reader, self.level, rows, Cell::Text)?,
            Some(ColumnReader::BoolColumnReader(reader)) => read(reader, self.level, rows, Cell::Flag)?,
            Some(ColumnReader::Int64ColumnReader(reader)) => read(reader, self.level, rows, Cell::Number)?,
            Some(ColumnReader::Int32ColumnReader(reader)) => {
                read(reader, self.level, rows, |number| Cell::Number(number.into()))?
            }
            _ => vec![Cell::Absent; rows],
        };
        if cells.len() == rows {
            Ok(cells)
        } else {
            Err(ParquetError::General(format!("the column `{}` ends before the others", self.name)))
        }
    }
}

fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    level: i16,
    rows: usize,
    cell: fn(T::T) -> Cell,
) -> Result<Vec<Cell>, ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    let mut values = values.into_iter();
    if level == 0 {
        return Ok(values.map(cell).collect());
    }
    let cells = levels.into_iter().map(|found| if found == level { values.next().map(cell) } else { Some(Cell::Null) });
    cells.collect::<Option<_>>().ok_or_else(|| ParquetError::General("a value is missing".to_owned()))
}

/// Reads a list of numbers for each row.
fn lists<T: DataType>(reader: &mut ColumnReaderImpl<T>, level: i16, rows: usize) -> Result<Vec<Cell>, ParquetError>
where
    T::T: Into<i64>,
{
    let (mut levels, mut starts, mut values) = (Vec::new(), Vec::new(), Vec::new());
    reader.read_records(rows, Some(&mut levels), Some(&mut starts), &mut values)?;
    let mut values = values.into_iter();
    let mut cells = Vec::with_capacity(rows);
    for (found, start) in levels.into_iter().zip(starts) {
        if start == 0 {
            cells.push(Cell::Null);
        }
        let Some(cell) = cells.last_mut().filter(|_| found == level) else { continue };
        let value = values.next().ok_or_else(|| ParquetError::General("a value is missing".to_owned()))?.into();
        match cell {
            Cell::Numbers(numbers) => numbers.push(value),
            _ => *cell = Cell::Numbers(vec![value]),
        }
    }
    Ok(cells)
}

/// Returns the item for the cells of a row.
fn item(at: &At, mut row: Vec<Cell>) -> Item {
    let groups = row.split_off(COLUMNS.len()).into_iter().map(|cell| groups::cut(cell.value())).collect();
    match case(row) {
        Ok(Some(case)) => Item::Line(Line { at: at.clone(), record: Record::Case(Box::new(case), groups) }),
        Ok(None) => Item::WithoutTexts,
        Err(error) => Item::Unreadable(at.clone(), error.to_string()),
    }
}

/// Returns the case of a row; `None` if its texts were not logged.
fn case(mut row: Vec<Cell>) -> io::Result<Option<Case<'static>>> {
    let mut take = |name: &'static str| {
        let place = COLUMNS.iter().position(|known| *known == name);
        Value(name, place.map_or(Cell::Absent, |place| std::mem::replace(&mut row[place], Cell::Null)))
    };
    let content = take("content");
    if matches!(content.1, Cell::Null) && matches!(take("edit_hash").1, Cell::Text(_)) {
        return Ok(None);
    }
    let quote = LineQuote {
        first: take("first").text()?,
        last: take("last").text()?,
        expected_lines: take("expected_lines").count()?,
        after: take("after").text()?,
        before: take("before").text()?,
        lines: take(LINES).pair()?,
        insert_line: None,
    };
    let old = take("old");
    Ok(Some(Case {
        id: match take("id") {
            Value(_, Cell::Number(number)) => number.into(),
            other => other.text()?.map_or(Json::Null, Json::from),
        },
        content: content.required()?,
        old: if quote.is_empty() { Some(old.required()?) } else { old.text()?.map(Cow::Owned) },
        new: take("new").required()?,
        replace_all: take("replace_all").flag(),
        line: take("line").count()?,
        expected: match take("expected") {
            Value(_, Cell::Absent) => Label::Unknown,
            label => label.text()?.into(),
        },
        expected_kind: take("expected_kind").text()?,
        accept_noop: take("accept_noop").flag(),
        drift: take("drift").text()?,
        quote,
        ..Case::default()
    }))
}

impl Cell {
    /// Returns the value as text, if there is one.
    fn value(self) -> Option<String> {
        match self {
            Self::Absent | Self::Null | Self::Numbers(_) => None,
            Self::Text(bytes) => Some(String::from_utf8_lossy(bytes.data()).into_owned()),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Number(number) => Some(number.to_string()),
        }
    }
}

/// A value and the name of its column, for errors.
struct Value(&'static str, Cell);

impl Value {
    fn flag(self) -> Option<bool> {
        if let Cell::Flag(flag) = self.1 { Some(flag) } else { None }
    }

    /// Returns the number, if there is one.
    fn count(self) -> io::Result<Option<usize>> {
        let Self(name, Cell::Number(number)) = self else { return Ok(None) };
        usize::try_from(number).map(Some).map_err(|_| io::Error::other(format!("{name} is {number}")))
    }

    /// Returns the two numbers of a list, if there is one.
    fn pair(self) -> io::Result<Option<(usize, usize)>> {
        let Self(name, Cell::Numbers(numbers)) = self else { return Ok(None) };
        let counts: Option<Vec<usize>> = numbers.iter().map(|number| usize::try_from(*number).ok()).collect();
        match counts.as_deref() {
            Some([first, last]) => Ok(Some((*first, *last))),
            _ => Err(io::Error::other(format!("{name} is {numbers:?}, no pair of line numbers"))),
        }
    }

    /// Returns the text, if there is one.
    fn text(self) -> io::Result<Option<String>> {
        let Self(name, Cell::Text(bytes)) = self else { return Ok(None) };
        match std::str::from_utf8(bytes.data()) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(error) => Err(io::Error::other(format!("{name} is not UTF-8: {error}"))),
        }
    }

    fn required(self) -> io::Result<Cow<'static, str>> {
        let name = self.0;
        let text = self.text()?.ok_or_else(|| io::Error::other(format!("{name} is null")))?;
        Ok(Cow::Owned(text))
    }
}
