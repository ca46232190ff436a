//! What several docstrings say in the same words: `#[doc = about!(ladder)]`.
//!
//! The docs of functions and classes are docstrings of Python, in reStructuredText. `tools/stub.py` reads them, with this
//! file, so that the stub has the same.

/// Returns the lines of a docstring about a parameter or an error that several functions have.
macro_rules! about {
    (text) => {
        ":param text: a text, that of a whole file or a part of one."
    };
    (old) => {
        ":param old: the text to be replaced, as it was quoted. It may be slightly wrong."
    };
    (new) => {
        ":param new: the text to be put there."
    };
    (no_new) => {
        ":param new: the text to be put there; with None the question is only where ``old`` is."
    };
    (ladder) => {
        ":param ladder: how to search, one of ``fuzzy_edit.LADDERS``. ``adaptive`` lands most and fits ``new`` to the text;\n    ``conservative`` tolerates blanks and nothing else."
    };
    (replace_all) => {
        ":param replace_all: whether every place is meant rather than the only one."
    };
    (line) => {
        ":param line: the line on which ``old`` is believed to begin, counted from 1. Of places that nothing else tells\n    apart it chooses the nearest one; it moves no edit whose place is certain."
    };
    (min_confidence) => {
        ":param min_confidence: from 0 to 1; an edit whose place is less certain is refused. None asks for no more than the\n    ladder does."
    };
    (raw_endings) => {
        ":param raw_endings: search and paste to the byte, without fitting line endings."
    };
    (timeout) => {
        ":param timeout: the longest that a search may take, in seconds; None for no limit."
    };
    (max_bytes) => {
        ":param max_bytes: the largest text that is read or made, in bytes of UTF-8; 32 MiB unless told."
    };
    (raises) => {
        ":raises FuzzyEditError: for what could not be tried, with its ``code``: ``bad_input`` (a lone surrogate, an unknown\n    ladder, a number out of range), ``too_large``, ``timeout``, ``internal``.\n:raises TypeError: for an argument of another type; the message names it."
    };
}

pub(crate) use about;
