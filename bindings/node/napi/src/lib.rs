//! The engine as a native module of Node, for the npm package `fuzzy-edit`.
//!
//! Each thread of JavaScript has its own desk. A panic would become an exception; no panic is known.

mod workspace;

use std::cell::RefCell;

use fuzzy_edit_js::Desk;
use napi_derive::napi;

thread_local! {
    static DESK: RefCell<Desk> = const { RefCell::new(Desk::new()) };
}

/// Answers a request that contains its text, in JSON.
#[napi(catch_unwind)]
#[must_use]
pub fn answer(request: &[u8]) -> String {
    DESK.with_borrow(|desk| desk.answer(request))
}

/// Keeps the text of a request as a document, and returns its number; 0 if the request is invalid.
#[napi(catch_unwind)]
#[must_use]
pub fn open(request: &[u8]) -> u32 {
    DESK.with_borrow_mut(|desk| desk.open(request)).unwrap_or_default()
}

/// Answers a request about a kept document, in JSON; returns an empty string if it was dropped.
#[napi(catch_unwind)]
#[must_use]
pub fn ask(number: u32, request: &[u8]) -> String {
    DESK.with_borrow_mut(|desk| desk.ask(number, request)).unwrap_or_default()
}

/// Drops a document. A number without a document is ignored.
#[napi(catch_unwind)]
pub fn close(number: u32) {
    DESK.with_borrow_mut(|desk| desk.close(number));
}

/// Returns the number of kept documents.
#[napi(catch_unwind)]
#[must_use]
pub fn kept() -> u32 {
    DESK.with_borrow(|desk| u32::try_from(desk.kept().0).unwrap_or(u32::MAX))
}

/// Returns all ladders in JSON, in the order of their numbers.
#[napi(catch_unwind)]
#[must_use]
pub fn ladders() -> String {
    fuzzy_edit_js::ladders()
}
