//! Docstring lines that several functions share: `#[doc = about!(ladder)]`.
//!
//! The doc comments of functions and classes are Python docstrings in reStructuredText. `tools/stub.py` reads them and
//! this file, so that the stub has the same docstrings.

/// Returns the docstring lines about a parameter or an error that several functions share.
macro_rules! about {
    (text) => {
        ":param text: the text to edit: a whole file or a part of one."
    };
    (old) => {
        ":param old: the text to replace, as quoted. It may be slightly wrong. None if other parameters say where."
    };
    (first) => {
        ":param first: instead of ``old``: the first line of the lines to replace, or as many as make it unique."
    };
    (last) => {
        ":param last: the last line of the lines to replace, or more of them if it occurs before the end."
    };
    (expected_lines) => {
        ":param expected_lines: the number of lines from ``first`` to ``last``, if ``last`` occurs several times."
    };
    (after) => {
        ":param after: instead of ``old``: the line below which ``new`` is inserted as lines of its own."
    };
    (before) => {
        ":param before: instead of ``old``: the line above which ``new`` is inserted as lines of its own."
    };
    (lines) => {
        ":param lines: the numbers of the first and the last line to replace; ``first`` finds lines that have moved."
    };
    (move_after) => {
        ":param move_after: instead of ``new``: the line below which the lines are moved."
    };
    (move_before) => {
        ":param move_before: instead of ``new``: the line above which the lines are moved."
    };
    (copy) => {
        ":param copy: whether moved lines also stay where they are."
    };
    (cell) => {
        ":param cell: the cell of a notebook (``.ipynb``), by its id or its number from 1. With a place, the search is restricted\n    to its source; with ``new`` alone, all of the source is replaced. ``move_after`` and ``move_before`` name a cell then."
    };
    (insert_cell) => {
        ":param insert_cell: ``before`` or ``after``: inserts a cell with the source ``new`` on this side of ``cell``, or at this\n    end of the notebook."
    };
    (cell_type) => {
        ":param cell_type: the kind of the inserted cell: ``code``, which is the default, ``markdown`` or ``raw``."
    };
    (delete_cell) => {
        ":param delete_cell: whether to delete ``cell``."
    };
    (new) => {
        ":param new: the replacement."
    };
    (no_new) => {
        ":param new: the replacement; with None the function only searches for ``old``."
    };
    (ladder) => {
        ":param ladder: how to search, one of ``fuzzy_edit.LADDERS``. ``adaptive`` lands the most edits and fits ``new`` to the\n    text; ``conservative`` tolerates only differences in whitespace."
    };
    (replace_all) => {
        ":param replace_all: whether to replace every match; otherwise there must be exactly one."
    };
    (line) => {
        ":param line: the line on which ``old`` probably begins, counted from 1. It chooses the nearest of several equally\n    good matches; it never moves an edit whose place is certain."
    };
    (base) => {
        ":param base: the text when the edit was written, if it is known. Where ``text`` lacks ``old``, or has it several times,\n    the ladder ``adaptive`` takes the place that it had there if there is a ``new``."
    };
    (min_confidence) => {
        ":param min_confidence: from 0 to 1; an edit whose place is less certain is refused. None requires no more than the\n    ladder does."
    };
    (raw_endings) => {
        ":param raw_endings: search and replace byte for byte, without adapting line endings."
    };
    (timeout) => {
        ":param timeout: the time limit of a search, in seconds; None for no limit."
    };
    (max_bytes) => {
        ":param max_bytes: the size limit of every text, read or produced, in bytes of UTF-8; 32 MiB by default."
    };
    (raises) => {
        ":raises FuzzyEditError: if the edit could not be tried, with a ``code``: ``bad_input`` (a lone surrogate, an unknown\n    ladder, a number out of range), ``too_large``, ``timeout``, ``internal``.\n:raises TypeError: if an argument has the wrong type; the message names the argument."
    };
}

pub(crate) use about;
