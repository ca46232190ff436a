//! Edits of the texts of a table, on all cores.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use fuzzy_pipeline::{Document, Edit};
use fuzzy_report::{Code, TextAnswer, apply_within, named_edit};

use crate::columns::{Edits, Row, check, only};
use crate::error::caught;
use crate::request::Settings;

/// Rows per step: enough to keep all cores busy, few enough that their texts fit into memory.
const ROWS: usize = 4096;
/// Bytes of contents after which a step takes no more rows.
const CONTENT_BYTES: usize = 64 << 20;
/// Bytes of new texts after which a batch ends. The offsets of a batch have 31 bits.
const OUTPUT_BYTES: usize = 512 << 20;
/// Rows that a thread takes at a time.
const SHARE: usize = 16;

/// The column that is copied to the result.
const ID: &str = "id";

/// An iterator over the results of edits, in their order, which are computed on demand.
pub(crate) struct Answers<R> {
    edits: R,
    settings: Settings,
    threads: NonZero<usize>,
    schema: SchemaRef,
    /// The batch in work: the batch, its edits, and the first row without a result.
    current: Option<(RecordBatch, Edits, usize)>,
    /// Results that are not returned yet.
    answered: VecDeque<RecordBatch>,
    has_ended: bool,
}

impl<R: RecordBatchReader> Answers<R> {
    /// Starts on a table, with this number of threads.
    ///
    /// # Errors
    ///
    /// The problem with its columns.
    pub(crate) fn new(edits: R, settings: Settings, threads: NonZero<usize>) -> Result<Self, String> {
        let asked = edits.schema();
        check(&asked)?;
        let id = only(&asked, ID)?.map(|index| Arc::clone(&asked.fields()[index]));
        let fields: Vec<_> = id.into_iter().chain(fields().into_iter().map(Arc::new)).collect();
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { edits, settings, threads, schema, current: None, answered: VecDeque::new(), has_ended: false })
    }

    fn advance(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if let Some(batch) = self.answered.pop_front() {
                return Ok(Some(batch));
            }
            if let Some((batch, edits, first)) = self.current.take_if(|(_, edits, first)| *first < edits.rows()) {
                let rows = first..portion(&edits, first);
                let next = rows.end;
                let answers = answer(&edits, rows, &self.settings, self.threads);
                self.hand_out(&batch, first, answers)?;
                self.current = Some((batch, edits, next));
                continue;
            }
            let Some(batch) = self.edits.next().transpose()? else { return Ok(None) };
            let edits = Edits::of(&batch)?;
            self.current = Some((batch, edits, 0));
        }
    }

    /// Makes batches of the results of the rows of `batch` from `first` on.
    fn hand_out(&mut self, batch: &RecordBatch, first: usize, answers: Vec<TextAnswer>) -> Result<(), ArrowError> {
        let id = batch.column_by_name(ID);
        let mut rest = answers.into_iter().peekable();
        let mut start = first;
        while rest.peek().is_some() {
            let mut columns = Columns::default();
            while let Some(answer) = rest.next_if(|answer| columns.has_room_for(answer)) {
                columns.add(answer);
            }
            let rows = columns.rows;
            let id = id.map(|column| column.slice(start, rows));
            let columns = id.into_iter().chain(columns.finish()).collect();
            self.answered.push_back(RecordBatch::try_new(Arc::clone(&self.schema), columns)?);
            start += rows;
        }
        Ok(())
    }
}

impl<R: RecordBatchReader> Iterator for Answers<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        // The caller is C code, which a panic must not reach.
        let batch =
            caught(|| self.advance()).unwrap_or_else(|failure| Err(ArrowError::ComputeError(failure.to_string())));
        let batch = batch.transpose();
        self.has_ended = !matches!(batch, Some(Ok(_)));
        batch
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Answers<R> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Returns the end of the step that begins at the row `first`.
fn portion(edits: &Edits, first: usize) -> usize {
    let last = edits.rows().min(first + ROWS);
    let mut bytes = 0;
    for row in first..last {
        bytes += edits.content_bytes(row);
        if bytes > CONTENT_BYTES {
            return row + 1;
        }
    }
    last
}

/// Applies the edits of rows on several threads, including this one.
fn answer(edits: &Edits, rows: Range<usize>, settings: &Settings, threads: NonZero<usize>) -> Vec<TextAnswer> {
    let next = AtomicUsize::new(rows.start);
    let work = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(SHARE, Ordering::Relaxed);
            if start >= rows.end {
                return done;
            }
            let share = start..rows.end.min(start + SHARE);
            done.push((start, share.map(|row| answer_row(edits.row(row), settings)).collect::<Vec<_>>()));
        }
    };
    let helpers = threads.get().min(rows.len().div_ceil(SHARE)).saturating_sub(1);
    let mut shares = thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(work)).collect();
        let mut shares = work();
        for helper in helpers {
            shares.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        shares
    });
    shares.sort_unstable_by_key(|(start, _)| *start);
    shares.into_iter().flat_map(|(_, answers)| answers).collect()
}

fn answer_row(row: Option<Row<'_>>, settings: &Settings) -> TextAnswer {
    let Some(Row { content, old, quote, new, replace_all }) = row else { return TextAnswer::refused(Code::BadInput) };
    let limit = settings.max_bytes;
    if [content, old.unwrap_or_default(), new].iter().any(|text| text.len() as u64 > limit) {
        return TextAnswer::refused(Code::TooLarge);
    }
    let answered = caught(|| {
        let document = Document::new(content);
        let edit = match old {
            Some(old) => Edit::new(old, new).with_replace_all(replace_all),
            None => match named_edit(&quote, ("", content), new, false) {
                Ok(edit) => edit,
                Err(failure) => return TextAnswer::refused(failure.code),
            },
        };
        let attempt = settings.attempt(edit, &document);
        let judgement = attempt.decide();
        TextAnswer::of(&judgement, apply_within(&judgement, limit))
    });
    answered.unwrap_or_else(|_| TextAnswer::refused(Code::Internal))
}

/// Returns the columns of the result except the copied `id`.
fn fields() -> Vec<Field> {
    vec![
        Field::new("ok", DataType::Boolean, false),
        Field::new("output", DataType::Utf8, true),
        Field::new("code", DataType::Utf8, true),
        Field::new("rule", DataType::Utf8, true),
        Field::new("strategy", DataType::Utf8, true),
        Field::new("similarity", DataType::Float64, true),
        Field::new("confidence", DataType::Float64, true),
        Field::new("proposal", DataType::Struct(proposal_fields()), true),
    ]
}

fn proposal_fields() -> Fields {
    ["old_string", "new_string"].map(|name| Field::new(name, DataType::Utf8, true)).into_iter().collect()
}

/// Results, column by column.
#[derive(Default)]
struct Columns {
    ok: BooleanBuilder,
    output: StringBuilder,
    code: StringBuilder,
    rule: StringBuilder,
    strategy: StringBuilder,
    similarity: Float64Builder,
    confidence: Float64Builder,
    proposal: [StringBuilder; 2],
    has_proposal: Vec<bool>,
    rows: usize,
    bytes: usize,
}

impl Columns {
    fn has_room_for(&self, answer: &TextAnswer) -> bool {
        self.rows == 0 || self.bytes + size(answer) <= OUTPUT_BYTES
    }

    fn add(&mut self, answer: TextAnswer) {
        self.rows += 1;
        self.bytes += size(&answer);
        let TextAnswer { ok, output, code, rule, strategy, similarity, confidence, proposal } = answer;
        self.ok.append_value(ok);
        self.output.append_option(output);
        self.code.append_option(code.map(Code::as_str));
        self.rule.append_option(rule);
        self.strategy.append_option(strategy);
        self.similarity.append_option(similarity);
        self.confidence.append_option(confidence);
        self.has_proposal.push(proposal.is_some());
        let (old, new) = proposal.map(|proposal| (proposal.old, proposal.new)).unzip();
        self.proposal[0].append_option(old);
        self.proposal[1].append_option(new);
    }

    fn finish(mut self) -> [ArrayRef; 8] {
        let [mut old, mut new] = self.proposal;
        let sides: Vec<ArrayRef> = vec![Arc::new(old.finish()), Arc::new(new.finish())];
        let proposal = StructArray::new(proposal_fields(), sides, Some(NullBuffer::from(self.has_proposal)));
        [
            Arc::new(self.ok.finish()),
            Arc::new(self.output.finish()),
            Arc::new(self.code.finish()),
            Arc::new(self.rule.finish()),
            Arc::new(self.strategy.finish()),
            Arc::new(self.similarity.finish()),
            Arc::new(self.confidence.finish()),
            Arc::new(proposal),
        ]
    }
}

/// Returns the bytes of the longest text of a result.
fn size(answer: &TextAnswer) -> usize {
    let proposal = answer.proposal.as_ref();
    let proposal = proposal.map_or(0, |proposal| proposal.old.len().max(proposal.new.len()));
    answer.output.as_ref().map_or(0, String::len).max(proposal)
}
