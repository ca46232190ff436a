//! Answers requests and keeps documents between them.

use std::collections::BTreeMap;

use fuzzy_pipeline::Document;
use fuzzy_plan::unified_diff;
use serde::Serialize;

use crate::answer::of;
use crate::bad_request::BadRequest;
use crate::explain::explain;
use crate::json::json;
use crate::local;
use crate::locate::locate;
use crate::request::{Request, What};
use crate::units::Units;

/// The maximum size of all kept texts in bytes. The last document is kept whatever its size.
///
/// The garbage collector of JavaScript does not count this memory, and runs finalizers only between two turns of the
/// event loop, so it may free documents too late.
const KEPT: usize = 64 << 20;

/// Answers requests, and keeps documents for repeated requests.
///
/// It is a cache: when the texts exceed the limit, it drops the least recently used documents. The caller keeps the
/// texts, and opens a dropped document again.
#[derive(Debug, Default)]
pub struct Desk {
    documents: BTreeMap<u32, Kept>,
    bytes: usize,
    last: u32,
    turns: u64,
}

#[derive(Debug)]
struct Kept {
    document: Document<'static>,
    /// The turn of the last request for it.
    turn: u64,
}

impl Desk {
    /// Creates a desk without documents.
    #[must_use]
    pub const fn new() -> Self {
        Self { documents: BTreeMap::new(), bytes: 0, last: 0, turns: 0 }
    }

    /// Answers a request that contains its text, in JSON; `{"error": …}` if the bytes are not a valid request. The answer
    /// is empty if the text is an excerpt, and the decision needs more of it.
    #[must_use]
    pub fn answer(&self, request: &[u8]) -> String {
        let answer = Request::read(request).and_then(|request| match request.what {
            #[cfg(feature = "patches")]
            What::Patch => crate::patch::patch(&request),
            #[cfg(not(feature = "patches"))]
            What::Patch => Err(BadRequest::NoPatches),
            What::Diff => Ok(diff(&request)),
            _ => Ok(edit(&request)),
        });
        answer.unwrap_or_else(|error| refuse(&error))
    }

    /// Keeps the text of the request as a document, and returns its number, which is never 0.
    ///
    /// # Errors
    ///
    /// Returns a [`BadRequest`] if the bytes are not a valid request.
    pub fn open(&mut self, request: &[u8]) -> Result<u32, BadRequest> {
        let text = Request::read(request)?.content.to_owned();
        self.bytes += text.len();
        // After four billion documents the numbers start again at 1; the first documents have been dropped by then.
        self.last = self.last.checked_add(1).unwrap_or(1);
        let kept = Kept { document: Document::from(text), turn: self.turn() };
        if let Some(old) = self.documents.insert(self.last, kept) {
            self.bytes -= old.document.text().len();
        }
        while self.bytes > KEPT && self.documents.len() > 1 {
            let oldest = self.documents.iter().min_by_key(|(_, kept)| kept.turn).map(|(number, _)| *number);
            self.close(oldest.unwrap_or_default());
        }
        Ok(self.last)
    }

    /// Answers a request about a kept document, in JSON; `None` if it was dropped.
    #[must_use]
    pub fn ask(&mut self, number: u32, request: &[u8]) -> Option<String> {
        let turn = self.turn();
        let kept = self.documents.get_mut(&number)?;
        kept.turn = turn;
        Some(match Request::read(request) {
            Ok(request) => answer(&request, &kept.document),
            Err(error) => refuse(&error),
        })
    }

    /// Drops a document. A number without a document is ignored.
    pub fn close(&mut self, number: u32) {
        if let Some(kept) = self.documents.remove(&number) {
            self.bytes -= kept.document.text().len();
        }
    }

    /// Returns the number of kept documents, and the size of their texts in bytes.
    #[must_use]
    pub fn kept(&self) -> (usize, usize) {
        (self.documents.len(), self.bytes)
    }

    const fn turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns
    }
}

/// Answers a request about its own text, in JSON.
fn edit(request: &Request<'_>) -> String {
    match request.excerpt {
        // The caller sends the whole text if these lines are not enough.
        Some(excerpt) => local::answer(request, excerpt).unwrap_or_default(),
        None => answer(request, &Document::new(request.content)),
    }
}

/// Answers a request about a document, in JSON.
fn answer(request: &Request<'_>, document: &Document<'_>) -> String {
    let attempt = request.attempt(document);
    let judgement = attempt.decide();
    let units = Units::new(document.text());
    match request.what {
        What::Replace | What::Apply => json(&of(&judgement, &units, request.what == What::Apply)),
        What::Locate => json(&locate(&judgement, &units, request)),
        What::Explain => json(&explain(&judgement, &units, request)),
        // These requests are about files, not about a document.
        What::Patch | What::Diff => refuse(&BadRequest::NoDocument),
    }
}

/// Returns the unified diff from one text to another.
fn diff(request: &Request<'_>) -> String {
    #[derive(Serialize)]
    struct Diff {
        diff: String,
    }
    json(&Diff { diff: unified_diff(request.old, request.content, request.new.unwrap_or_default()) })
}

/// Returns the answer to an invalid request.
fn refuse(error: &BadRequest) -> String {
    #[derive(Serialize)]
    struct Refused {
        error: String,
    }
    json(&Refused { error: error.to_string() })
}
