//! The engine as a module of Node's own, for the npm package `fuzzy-edit`.
//!
//! Each thread of JavaScript has a desk of its own. A panic, of which none is known, becomes an exception.

use std::cell::RefCell;

use fuzzy_edit_js::Desk;
use napi_derive::napi;

thread_local! {
    static DESK: RefCell<Desk> = const { RefCell::new(Desk::new()) };
}

/// Answers a request that brings its text.
#[napi(catch_unwind)]
#[must_use]
pub fn answer(request: &[u8]) -> String {
    DESK.with_borrow(|desk| desk.answer(request))
}

/// Keeps the text of a request as a document, and returns its number; 0 if the request is none.
#[napi(catch_unwind)]
#[must_use]
pub fn open(request: &[u8]) -> u32 {
    DESK.with_borrow_mut(|desk| desk.open(request)).unwrap_or_default()
}

/// Answers a request about a document that is kept; nothing if it was dropped.
#[napi(catch_unwind)]
#[must_use]
pub fn ask(number: u32, request: &[u8]) -> String {
    DESK.with_borrow_mut(|desk| desk.ask(number, request)).unwrap_or_default()
}

/// Drops a document.
#[napi(catch_unwind)]
pub fn close(number: u32) {
    DESK.with_borrow_mut(|desk| desk.close(number));
}

/// Returns how many documents are kept.
#[napi(catch_unwind)]
#[must_use]
pub fn kept() -> u32 {
    DESK.with_borrow(|desk| u32::try_from(desk.kept().0).unwrap_or(u32::MAX))
}

/// Tells of every ladder.
#[napi(catch_unwind)]
#[must_use]
pub fn ladders() -> String {
    fuzzy_edit_js::ladders()
}
