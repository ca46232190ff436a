//! The engine in WebAssembly, for the npm package `fuzzy-edit`.
//!
//! Nothing is imported and no glue is generated: the host writes a request into memory, calls a function, and reads the
//! answer. There are no threads, no clock and no `unsafe` block.
//!
//! 1. `room(length)` makes room for a request and returns where.
//! 2. `answer()`, `open()`, `ask(number)` or `ladders()` reads it, and returns the length of the answer.
//! 3. `reply()` returns where the answer is, until the next call.

use std::cell::RefCell;

use fuzzy_edit_js::Desk;

/// Bytes of a buffer that is kept between two calls; a larger one is given back to the allocator.
const KEPT: usize = 1 << 20;

/// The one desk of this instance, and what crosses.
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
    /// Keeps an answer for the host to read, and returns its length.
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

/// Makes room for a request of so many bytes, and returns where it is to be written.
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

/// Returns where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    with(|counter| counter.reply.as_ptr())
}

/// Answers the request, which brings its text; returns the length of the JSON.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    with(|counter| {
        let reply = counter.desk.answer(&counter.request);
        counter.say(reply)
    })
}

/// Keeps the text of the request as a document, and returns its number; 0 if the request is none.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    with(|counter| {
        let number = counter.desk.open(&counter.request).unwrap_or_default();
        counter.say(String::new());
        number
    })
}

/// Answers the request about a document that is kept; 0 if it was dropped.
#[unsafe(no_mangle)]
pub extern "C" fn ask(number: u32) -> usize {
    with(|counter| {
        let reply = counter.desk.ask(number, &counter.request).unwrap_or_default();
        counter.say(reply)
    })
}

/// Drops a document.
#[unsafe(no_mangle)]
pub extern "C" fn close(number: u32) {
    with(|counter| counter.desk.close(number));
}

/// Returns how many documents are kept.
#[unsafe(no_mangle)]
pub extern "C" fn kept() -> usize {
    with(|counter| counter.desk.kept().0)
}

/// Tells of every ladder; returns the length of the JSON.
#[unsafe(no_mangle)]
pub extern "C" fn ladders() -> usize {
    with(|counter| counter.say(fuzzy_edit_js::ladders()))
}
