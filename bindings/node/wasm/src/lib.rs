//! The engine in WebAssembly, for the npm package `fuzzy-edit`.
//!
//! The module has no imports and no generated glue code: the host writes a request to memory, calls a function, and
//! reads the answer. It uses no threads, no clock and no `unsafe` block.
//!
//! 1. `room(length)` returns the address of a buffer for the request.
//! 2. `answer()` or `ask(number)` reads the request, and returns the length of the answer. `ladders()` reads none.
//!    `open()` returns the number of a document, and has no answer to read.
//! 3. `reply()` returns the address of the answer, which is valid until the next call.

use std::cell::RefCell;

use fuzzy_edit_js::Desk;

/// The maximum size in bytes of a request buffer that is kept between calls; a larger one is freed.
const KEPT: usize = 1 << 20;

/// The desk of this instance, with the buffers of the request and the answer.
struct Counter {
    desk: Desk,
    request: Vec<u8>,
    reply: String,
}

thread_local! {
    static COUNTER: RefCell<Counter> =
        const { RefCell::new(Counter { desk: Desk::new(), request: Vec::new(), reply: String::new() }) };
}

impl Counter {
    /// Stores an answer for the host, and returns its length.
    fn say(&mut self, reply: String) -> usize {
        self.reply = reply;
        if self.request.capacity() > KEPT {
            self.request = Vec::new();
        }
        self.reply.len()
    }
}

fn with<T>(work: impl FnOnce(&mut Counter) -> T) -> T {
    COUNTER.with_borrow_mut(work)
}

/// Allocates a buffer for a request of `length` bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|counter| {
        counter.reply = String::new();
        if counter.request.len() < length {
            counter.request = vec![0; length];
        }
        counter.request.as_mut_ptr()
    })
}

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    with(|counter| counter.reply.as_ptr())
}

/// Answers the request, which contains its text; returns the length of the JSON.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    with(|counter| {
        let reply = counter.desk.answer(&counter.request);
        counter.say(reply)
    })
}

/// Keeps the text of the request as a document, and returns its number; 0 if the request is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    with(|counter| {
        let number = counter.desk.open(&counter.request).unwrap_or_default();
        counter.say(String::new());
        number
    })
}

/// Answers the request about a kept document; returns the length of the JSON, or 0 if the document was dropped.
#[unsafe(no_mangle)]
pub extern "C" fn ask(number: u32) -> usize {
    with(|counter| {
        let reply = counter.desk.ask(number, &counter.request).unwrap_or_default();
        counter.say(reply)
    })
}

/// Drops a document. A number without a document is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn close(number: u32) {
    with(|counter| counter.desk.close(number));
}

/// Returns the number of kept documents.
#[unsafe(no_mangle)]
pub extern "C" fn kept() -> usize {
    with(|counter| counter.desk.kept().0)
}

/// Writes all ladders in JSON, in the order of their numbers; returns the length of the JSON.
#[unsafe(no_mangle)]
pub extern "C" fn ladders() -> usize {
    with(|counter| counter.say(fuzzy_edit_js::ladders()))
}
