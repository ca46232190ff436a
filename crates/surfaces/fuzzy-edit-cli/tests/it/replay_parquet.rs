//! `replay` of Parquet files.

use std::sync::Arc;

use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use crate::support::Place;

const SCHEMA: &str = "message edits {
    required int64 id;
    optional binary content (STRING);
    optional binary old (STRING);
    optional binary new (STRING);
    optional boolean replace_all;
    optional binary expected (STRING);
    optional binary expected_kind (STRING);
    optional binary drift (STRING);
    optional binary edit_hash (STRING);
}";

/// A row: content, old, new, `replace_all`, expected, `expected_kind`, drift, `edit_hash`.
type Row = (
    Option<&'static [u8]>,
    Option<&'static str>,
    Option<&'static str>,
    Option<bool>,
    Option<&'static str>,
    Option<&'static str>,
    Option<&'static str>,
    Option<&'static str>,
);

/// Every kind of row that can be tried.
const ROWS: [Row; 6] = [
    (Some(b"a\nb\n"), Some("b"), Some("x"), None, Some("a\nx\n"), None, Some("none"), None),
    (Some(b"a\nb  c\n"), Some("b c"), Some("x"), None, Some("a\nx\n"), None, Some("blanks"), None),
    (Some(b"b\nb\n"), Some("b"), Some("x"), None, None, None, Some("refuse"), None),
    (Some(b"b\nb\n"), Some("b"), Some("x"), Some(true), Some("x\nx\n"), Some("full"), None, None),
    (Some("ä\tb".as_bytes()), Some("ä b"), Some("x"), Some(false), None, Some("span"), None, None),
    (Some(b"a\nb\n"), Some("b"), Some("y"), None, Some("a\nx\n"), None, Some("none"), None),
];

/// Every kind of row that cannot.
const BAD: [Row; 3] = [
    (Some(b"\xff"), Some("b"), Some("x"), None, None, None, None, None),
    (Some(b"b"), None, Some("x"), None, None, None, None, None),
    (None, None, None, None, None, None, None, Some("a4")),
];

fn texts(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, values: &[Option<&[u8]>]) {
    let mut column = group.next_column().unwrap().unwrap();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<ByteArray> = values.iter().flatten().map(|value| ByteArray::from(value.to_vec())).collect();
    column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
    column.close().unwrap();
}

/// Writes rows in groups of four.
fn parquet(rows: &[Row], compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for (first, rows) in rows.chunks(4).enumerate() {
        let mut group = file.next_row_group().unwrap();
        let mut id = group.next_column().unwrap().unwrap();
        let ids: Vec<i64> = (0..).skip(first * 4).take(rows.len()).collect();
        id.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        id.close().unwrap();
        let text = |field: fn(&Row) -> Option<&'static str>| -> Vec<Option<&[u8]>> {
            rows.iter().map(|row| field(row).map(str::as_bytes)).collect()
        };
        texts(&mut group, &rows.iter().map(|row| row.0).collect::<Vec<_>>());
        texts(&mut group, &text(|row| row.1));
        texts(&mut group, &text(|row| row.2));
        let mut flags = group.next_column().unwrap().unwrap();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.3.is_some())).collect();
        let values: Vec<bool> = rows.iter().filter_map(|row| row.3).collect();
        flags.typed::<BoolType>().write_batch(&values, Some(&levels), None).unwrap();
        flags.close().unwrap();
        texts(&mut group, &text(|row| row.4));
        texts(&mut group, &text(|row| row.5));
        texts(&mut group, &text(|row| row.6));
        texts(&mut group, &text(|row| row.7));
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

/// Returns the same rows as lines of JSON.
fn lines(rows: &[Row]) -> String {
    let line = |(id, row): (usize, &Row)| {
        let content = std::str::from_utf8(row.0.unwrap()).unwrap();
        let case = json!({"id": id, "content": content, "old": row.1, "new": row.2, "replace_all": row.3,
            "expected": row.4, "expected_kind": row.5, "drift": row.6});
        format!("{case}\n")
    };
    rows.iter().enumerate().map(line).collect()
}

fn replay(place: &Place, log: &str) -> Value {
    let groups = ["--group-by", "kind,replace_all,id"];
    let answer = place.run(&[&["replay", "--json", "--ladder", "conservative,opencode", log][..], &groups].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    let mut report = answer.json();
    for ladder in report["ladders"].as_array_mut().unwrap() {
        ladder["us"].take();
    }
    report
}

#[test]
fn a_table_is_replayed_as_the_same_lines_are() {
    let place = Place::new();
    // More rows than one read returns, in more than one group.
    let rows = ROWS.repeat(7);
    place.write("edits", lines(&rows));
    let expected = replay(&place, "edits");
    assert_eq!((&expected["edits"], &expected["labelled"]), (&json!(42), &json!(35)));
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
        place.write("edits", parquet(&rows, compression));
        assert_eq!(replay(&place, "edits"), expected, "{compression}");
    }
    for compression in [Compression::ZSTD(ZstdLevel::default()), Compression::GZIP(GzipLevel::default())] {
        place.write("edits", parquet(&rows, compression));
        assert_eq!(replay(&place, "edits"), expected, "{compression}");
    }
}

#[test]
fn unreadable_rows_are_named_and_the_run_continues() {
    let place = Place::new();
    place.write("edits.parquet", parquet(&[&BAD[..], &ROWS[..1]].concat(), Compression::SNAPPY));
    let report = replay(&place, "edits.parquet");
    assert_eq!((&report["edits"], &report["without_texts"]), (&json!(1), &json!(1)));
    let unreadable = report["unreadable"]["first"].as_array().unwrap();
    let reasons: Vec<_> = unreadable.iter().map(|one| (one["line"].as_u64(), one["why"].as_str().unwrap())).collect();
    assert!(reasons[0].0 == Some(1) && reasons[0].1.starts_with("content is not UTF-8"), "{reasons:?}");
    assert_eq!(reasons[1..], [(Some(2), "old is null")]);
    assert_eq!(report["ladders"][0]["right"], 1);
}

#[test]
fn a_table_that_is_cut_or_lacks_a_column_is_named() {
    let place = Place::new();
    let whole = parquet(&ROWS, Compression::SNAPPY);
    place.write("cut", &whole[..whole.len() / 2]);
    let schema = Arc::new(parse_message_type("message edits { required binary old (STRING); }").unwrap());
    let file = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    place.write("narrow", file.into_inner().unwrap());
    for (log, why) in [("cut", "`cut`: "), ("narrow", "there is no column `content`")] {
        let answer = place.run(&["replay", "--json", log]);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")), "{answer:?}");
        assert!(answer.err.contains(why), "{}", answer.err);
    }
    let answer = place.run_with(&["replay", "--json", "-"], &whole);
    assert!(answer.err.contains("cannot be read from standard input"), "{}", answer.err);
}

const NAMED: &str = "message edits {
    optional binary content (STRING);
    optional binary new (STRING);
    optional binary old (STRING);
    optional binary first (STRING);
    optional binary last (STRING);
    optional binary after (STRING);
    optional binary expected (STRING);
    optional int32 expected_lines;
    optional group lines (LIST) { repeated group list { optional int64 element; } }
}";

#[test]
fn named_lines_in_a_table_are_replayed_as_in_lines_of_json() {
    let place = Place::new();
    let content = "a\nend\nb\nend\n";
    let rows = [
        json!({"old": "b", "expected": "a\nend\nx\nend\n"}),
        json!({"first": "b", "last": "end", "expected": "a\nend\nx\n"}),
        json!({"first": "a", "last": "end", "expected": null}),
        json!({"first": "a", "last": "end", "expected_lines": 4, "expected": "x\n"}),
        json!({"after": "b", "expected": "a\nend\nb\nx\nend\n"}),
        json!({"first": "b", "lines": [1, 2], "expected": "a\nend\nx\n"}),
        json!({"old": "b", "after": "b", "expected": null}),
    ];
    let lines = rows.clone().map(|mut row| {
        row["content"] = content.into();
        row["new"] = "x".into();
        format!("{row}\n")
    });
    place.write("edits", lines.concat());
    let expected = replay(&place, "edits");
    assert_eq!((&expected["edits"], &expected["ladders"][0]["right"]), (&json!(7), &json!(7)), "{expected:#}");

    let schema = Arc::new(parse_message_type(NAMED).unwrap());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = file.next_row_group().unwrap();
    texts(&mut group, &rows.each_ref().map(|_| Some(content.as_bytes())));
    texts(&mut group, &rows.each_ref().map(|_| Some(&b"x"[..])));
    for name in ["old", "first", "last", "after", "expected"] {
        texts(&mut group, &rows.each_ref().map(|row| row[name].as_str().map(str::as_bytes)));
    }
    let mut column = group.next_column().unwrap().unwrap();
    let counts = rows.each_ref().map(|row| row["expected_lines"].as_i64());
    let levels = counts.map(|count| i16::from(count.is_some()));
    let values: Vec<i32> = counts.iter().flatten().map(|count| i32::try_from(*count).unwrap()).collect();
    column.typed::<Int32Type>().write_batch(&values, Some(&levels), None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let (mut values, mut levels, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for row in &rows {
        let pair = row["lines"].as_array().cloned().unwrap_or_default();
        values.extend(pair.iter().filter_map(Value::as_i64));
        levels.extend(if pair.is_empty() { vec![0] } else { vec![3; pair.len()] });
        starts.extend((0..pair.len().max(1)).map(|at| i16::from(at > 0)));
    }
    column.typed::<Int64Type>().write_batch(&values, Some(&levels), Some(&starts)).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    place.write("edits", file.into_inner().unwrap());
    assert_eq!(replay(&place, "edits"), expected);
}
