from collections.abc import Mapping
from os import PathLike
from typing import Any, Protocol, final


__all__ = [
    "LADDERS",
    "Alignment",
    "AnswerStream",
    "Candidate",
    "Conflict",
    "Explanation",
    "Feature",
    "FileResult",
    "FuzzyEditError",
    "LandedLine",
    "Located",
    "Nearest",
    "PatchResult",
    "Place",
    "Proposal",
    "Result",
    "Row",
    "Splice",
    "Tried",
    "Weighed",
    "__version__",
    "apply",
    "apply_batch",
    "apply_patch",
    "edit_file",
    "explain",
    "locate",
]

class _Table(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

LADDERS: tuple[str, ...]
"""The names of the ladders, for the parameter `ladder`."""
__version__: str

class FuzzyEditError(ValueError):
    """What was asked could not be tried: it makes no sense, is too large, took too long, or fuzzy-edit itself failed."""

    code: str
    """The one word that names the failure: `bad_input`, `too_large`, `timeout`, `parse`, `internal`."""
    message: str
    """What is wrong."""
    next_step: str
    """What to do, in one sentence."""

def apply(
    text: str,
    old: str,
    new: str,
    *,
    ladder: str = "adaptive",
    replace_all: bool = False,
    line: int | None = None,
    min_confidence: float | None = None,
    raw_endings: bool = False,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> Result:
    """Replaces `old` in `text` by `new`, where `old` may be slightly wrong.

    :param ladder: how to search; one of `LADDERS`.
    :param replace_all: whether every place is meant rather than the only one.
    :param line: the line on which `old` is believed to begin, counted from 1. Of places that nothing else tells apart
        it chooses the nearest one; it moves no edit whose place is certain.
    :param min_confidence: from 0 to 1; an edit whose place is less certain is refused.
    :param raw_endings: search and paste to the byte, without fitting line endings.
    :param timeout: the longest that the search may take, in seconds; None for no limit.
    :param max_bytes: the largest text that is read or made, in bytes of UTF-8.
    :raises FuzzyEditError: `bad_input` (a lone surrogate, an unknown ladder, …), `too_large`, `timeout`, `internal`.
    """

def locate(
    text: str,
    old: str,
    new: str | None = None,
    *,
    ladder: str = "adaptive",
    replace_all: bool = False,
    line: int | None = None,
    min_confidence: float | None = None,
    raw_endings: bool = False,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> Located:
    """Says where an edit would land; without `new`, where `old` is. The parameters and errors are those of `apply`."""

def explain(
    text: str,
    old: str,
    new: str | None = None,
    *,
    ladder: str = "adaptive",
    replace_all: bool = False,
    line: int | None = None,
    min_confidence: float | None = None,
    raw_endings: bool = False,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> Explanation:
    """Says of every strategy what it proposes, and why that is or is not taken.

    The parameters and errors are those of `apply`; `empty_needle` and `identical` are errors here, too, because there is
    nothing to explain.
    """

def apply_batch(
    table: _Table,
    *,
    ladder: str = "adaptive",
    min_confidence: float | None = None,
    raw_endings: bool = False,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
    threads: int | None = None,
) -> AnswerStream:
    """Answers the edits of a table, on all cores; other threads of Python run meanwhile.

    The table is anything with `__arrow_c_stream__`, of pyarrow, polars, pandas or DuckDB. It has the columns `content`,
    `old` and `new` of strings, and if wanted `replace_all` of booleans and `id` of anything, which is passed on.

    The answers come in the same order as they are read, in the columns `id` (if there is one), `ok`, `output`, `code`,
    `strategy`, `similarity`, `confidence` and `proposal` (`old_string`, `new_string`). A row that cannot be tried has a
    code and fails no other: `bad_input` where a text is null, `too_large`, `timeout`, `internal`.

    :param threads: how many rows are answered at once; as many as there are cores unless told.
    :raises FuzzyEditError: `bad_input`, if that is no such table. One whose memory is malformed ends the stream with an
        error of its reader.
    """

def apply_patch(
    files: Mapping[str, str],
    patch: str,
    *,
    target: str | None = None,
    ladder: str = "adaptive",
    min_confidence: float | None = None,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> PatchResult:
    """Carries out a patch on texts, all of it or nothing: SEARCH/REPLACE blocks, unified diffs, `*** Begin Patch`, with
    prose around them. Nothing is read from or written to a disk.

    :param files: the text of every file that the patch may name, by its path.
    :param target: the file of blocks and hunks that name none.
    :raises FuzzyEditError: `parse`, if the patch cannot be read; else as `apply`.
    """

def edit_file(
    path: str | PathLike[str],
    old: str,
    new: str,
    *,
    root: str | PathLike[str] | None = None,
    replace_all: bool = False,
    line: int | None = None,
    count: int | None = None,
    expected_hash: str | None = None,
    dry_run: bool = False,
    encoding: str | None = None,
    ladder: str = "adaptive",
    min_confidence: float | None = None,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> FileResult:
    """Edits a file as the command `fuzzy-edit apply` does: atomically, and every byte outside the place stays.

    An empty `old` creates a file that does not exist. A file that cannot be edited is an answer, with a code: `missing`,
    `outside_root`, `permission`, `stale`, …

    :param root: the directory that the path has to stay in, and that a relative one starts from. Without it, naming a
        file is the permission to edit it.
    :param count: how many places there must be.
    :param expected_hash: the SHA-256 of the file as it was read, as an earlier answer has it in `file_hash`.
    :param dry_run: say what would change, and write nothing.
    :param encoding: that of the file, where it is neither UTF-8 nor UTF-16 with a byte order mark.
    :raises FuzzyEditError: `bad_input`, if a setting makes no sense or the root is no directory; `internal`.
    """

@final
class Result:
    """What became of an edit of a text."""

    __match_args__: tuple[str, ...]

    def __new__(cls, ok: bool, output: str | None, code: str | None, strategy: str | None, similarity: float | None, confidence: float | None, splices: tuple[Splice, ...], nearest: Nearest | None, conflicts: tuple[Conflict, ...], proposal: Proposal | None, message: str | None, next_step: str | None) -> Result: ...
    @property
    def ok(self) -> bool:
        """Whether `output` is the text as the edit leaves it."""

    @property
    def output(self) -> str | None:
        """The new text; the old one where the edit was made before; None where it was refused."""

    @property
    def code(self) -> str | None:
        """The one word that names why it was refused, or `already_applied`; None where the edit was made."""

    @property
    def strategy(self) -> str | None:
        """The strategy that found the place."""

    @property
    def similarity(self) -> float | None:
        """How alike the old text and the place are under that strategy's rule, 0 to 1."""

    @property
    def confidence(self) -> float | None:
        """How sure it is that this is the place, 0 to 1."""

    @property
    def splices(self) -> tuple[Splice, ...]:
        """What was put where, from top to bottom."""

    @property
    def nearest(self) -> Nearest | None:
        """The lines that come nearest to the old text, where it was refused."""

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where the text and the new one both differ from the old one, where the code is `conflict`."""

    @property
    def proposal(self) -> Proposal | None:
        """The edit that was probably meant, where there is a good guess."""

    @property
    def message(self) -> str | None:
        """What is wrong, or what to know about an old text that did not match exactly."""

    @property
    def next_step(self) -> str | None:
        """What to do next, where it was refused."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Result], tuple[Any, ...]]: ...

@final
class Splice:
    """A text that takes the place of another: `text[:start] + splice.text + text[end:]`."""

    __match_args__: tuple[str, ...]

    def __new__(cls, start: int, end: int, text: str, bytes: tuple[int, int], lines: tuple[int, int]) -> Splice: ...
    @property
    def start(self) -> int:
        """Where the replaced text begins, as an index of the string."""

    @property
    def end(self) -> int:
        """Where it ends."""

    @property
    def text(self) -> str:
        """What is put there."""

    @property
    def bytes(self) -> tuple[int, int]:
        """Where it begins and ends in the text as UTF-8."""

    @property
    def lines(self) -> tuple[int, int]:
        """Its first and last line, counted from 1."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Splice], tuple[Any, ...]]: ...

@final
class Place:
    """A place in a text: `text[place.start:place.end]`."""

    __match_args__: tuple[str, ...]

    def __new__(cls, start: int, end: int, bytes: tuple[int, int], lines: tuple[int, int]) -> Place: ...
    @property
    def start(self) -> int:
        """Where it begins, as an index of the string."""

    @property
    def end(self) -> int:
        """Where it ends."""

    @property
    def bytes(self) -> tuple[int, int]:
        """Where it begins and ends in the text as UTF-8."""

    @property
    def lines(self) -> tuple[int, int]:
        """Its first and last line, counted from 1."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Place], tuple[Any, ...]]: ...

@final
class Nearest:
    """The lines of a text that come nearest to an old text."""

    __match_args__: tuple[str, ...]

    def __new__(cls, lines: tuple[int, int], similarity: float, diff: str) -> Nearest: ...
    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last of them, counted from 1."""

    @property
    def similarity(self) -> float:
        """How much of the old text is there, 0 to 1."""

    @property
    def diff(self) -> str:
        """How the old text (`-`) differs from these lines (`+`), with blanks visible where they do."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Nearest], tuple[Any, ...]]: ...

@final
class Conflict:
    """Lines where a text and a new one both differ from the old one, each in its own way. What is long is cut."""

    __match_args__: tuple[str, ...]

    def __new__(cls, lines: tuple[int, int], file: str, old: str, new: str, keeping: str, taking: str) -> Conflict: ...
    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last of them, counted from 1."""

    @property
    def file(self) -> str:
        """What the text has where it differs."""

    @property
    def old(self) -> str:
        """What the old text has there."""

    @property
    def new(self) -> str:
        """What the new text has there."""

    @property
    def keeping(self) -> str:
        """The lines as they stay if what the text has is meant."""

    @property
    def taking(self) -> str:
        """The lines as they are if the new text is meant."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Conflict], tuple[Any, ...]]: ...

@final
class Proposal:
    """An edit that would succeed."""

    __match_args__: tuple[str, ...]

    def __new__(cls, old: str, new: str) -> Proposal: ...
    @property
    def old(self) -> str:
        """The text to replace, copied from the file."""

    @property
    def new(self) -> str:
        """The text to put there, fitted to it."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Proposal], tuple[Any, ...]]: ...

@final
class Located:
    """Where an edit would land."""

    __match_args__: tuple[str, ...]

    def __new__(cls, ok: bool, code: str | None, strategy: str | None, similarity: float | None, confidence: float | None, places: tuple[Place, ...], nearest: Nearest | None, conflicts: tuple[Conflict, ...], proposal: Proposal | None, message: str | None, next_step: str | None) -> Located: ...
    @property
    def ok(self) -> bool:
        """Whether there is one answer."""

    @property
    def code(self) -> str | None:
        """The one word that names why there is none, or `already_applied`."""

    @property
    def strategy(self) -> str | None:
        """The strategy that found the place."""

    @property
    def similarity(self) -> float | None:
        """How alike the old text and the place are under that strategy's rule, 0 to 1."""

    @property
    def confidence(self) -> float | None:
        """How sure it is that this is the place, 0 to 1."""

    @property
    def places(self) -> tuple[Place, ...]:
        """Every place that would be replaced, or those that an ambiguous old text may mean, from top to bottom."""

    @property
    def nearest(self) -> Nearest | None:
        """The lines that come nearest to the old text, where it was not found."""

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where the text and the new one both differ from the old one, where the code is `conflict`."""

    @property
    def proposal(self) -> Proposal | None:
        """The edit that was probably meant, where there is a good guess."""

    @property
    def message(self) -> str | None:
        """What is wrong, or what to know about an old text that did not match exactly."""

    @property
    def next_step(self) -> str | None:
        """What to do next, where there is no answer."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Located], tuple[Any, ...]]: ...

@final
class Explanation:
    """What a ladder makes of an old text. `print` shows it to people, and a notebook shows it as it is."""

    __match_args__: tuple[str, ...]

    def __new__(cls, ladder: str, policy: str, located: Located, strategies: tuple[Tried, ...], alignment: Alignment | None, weighed: Weighed | None, text: str, html: str) -> Explanation: ...
    @property
    def ladder(self) -> str:
        """The ladder's name."""

    @property
    def policy(self) -> str:
        """The name of what decides."""

    @property
    def located(self) -> Located:
        """Where the edit lands, or why nowhere."""

    @property
    def strategies(self) -> tuple[Tried, ...]:
        """What each strategy makes of it, in the order in which they are tried."""

    @property
    def alignment(self) -> Alignment | None:
        """The old text beside the file, under a ladder that aligns them."""

    @property
    def weighed(self) -> Weighed | None:
        """How likely the place is the one that is meant, under a ladder that weighs it."""

    @property
    def text(self) -> str:
        """All of it, for people."""

    @property
    def html(self) -> str:
        """All of it, for a notebook."""

    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Explanation], tuple[Any, ...]]: ...

@final
class Tried:
    """What one strategy makes of an old text."""

    __match_args__: tuple[str, ...]

    def __new__(cls, strategy: str, verdict: str, why: str, candidates: tuple[Candidate, ...], more: bool) -> Tried: ...
    @property
    def strategy(self) -> str:
        """The strategy's name."""

    @property
    def verdict(self) -> str:
        """What became of its candidates: `nothing`, `taken`, `ended`, `not_unique`, `passed_over` or `not_reached`."""

    @property
    def why(self) -> str:
        """The same in words."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The first of its candidates."""

    @property
    def more(self) -> bool:
        """Whether there are more."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Tried], tuple[Any, ...]]: ...

@final
class Candidate:
    """A place that a strategy proposes."""

    __match_args__: tuple[str, ...]

    def __new__(cls, place: Place, similarity: float) -> Candidate: ...
    @property
    def place(self) -> Place:
        """The place."""

    @property
    def similarity(self) -> float:
        """How alike the old text and the place are under the strategy's rule, 0 to 1."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Candidate], tuple[Any, ...]]: ...

@final
class Alignment:
    """The old text beside the file, and where each line that lands comes from."""

    __match_args__: tuple[str, ...]

    def __new__(cls, undone: tuple[str, ...], rows: tuple[Row, ...], lands: tuple[LandedLine, ...]) -> Alignment: ...
    @property
    def undone(self) -> tuple[str, ...]:
        """What was undone in the old text before it was read, such as `line numbers`."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The lines of both, in the order of the file."""

    @property
    def lands(self) -> tuple[LandedLine, ...]:
        """The lines that are written, or would be."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Alignment], tuple[Any, ...]]: ...

@final
class Row:
    """Lines of the old text and those of the file that they mean; one side may have none."""

    __match_args__: tuple[str, ...]

    def __new__(cls, old: tuple[tuple[int, str], ...], file: tuple[tuple[int, str], ...], evidence: float, similarity: float | None) -> Row: ...
    @property
    def old(self) -> tuple[tuple[int, str], ...]:
        """The old text's lines, each with its number."""

    @property
    def file(self) -> tuple[tuple[int, str], ...]:
        """The file's lines, each with its number."""

    @property
    def evidence(self) -> float:
        """How much the old text's lines prove, 0 to 1 for each."""

    @property
    def similarity(self) -> float | None:
        """How alike the sides are but for blanks; None where one side is empty."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Row], tuple[Any, ...]]: ...

@final
class LandedLine:
    """A line that lands."""

    __match_args__: tuple[str, ...]

    def __new__(cls, text: str, origin: str, file_line: int | None, new_line: int | None) -> LandedLine: ...
    @property
    def text(self) -> str:
        """The line without its line break."""

    @property
    def origin(self) -> str:
        """Whose text it is: `file`, `new`, or `merged` of both."""

    @property
    def file_line(self) -> int | None:
        """The file's line that it is or was made of, counted from 1."""

    @property
    def new_line(self) -> int | None:
        """The new text's line that it is or was made of, counted from 1."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[LandedLine], tuple[Any, ...]]: ...

@final
class Weighed:
    """How likely a place is the one that was meant, and what that rests on."""

    __match_args__: tuple[str, ...]

    def __new__(cls, probability: float, accepted: float, perfect: float, features: tuple[Feature, ...], ruled_out: str | None) -> Weighed: ...
    @property
    def probability(self) -> float:
        """The probability that the place is the one that is meant."""

    @property
    def accepted(self) -> float:
        """The probability that it takes."""

    @property
    def perfect(self) -> float:
        """The log-odds of a place without a flaw."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """What each feature adds to them."""

    @property
    def ruled_out(self) -> str | None:
        """What keeps the edit from landing however likely the place is."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Weighed], tuple[Any, ...]]: ...

@final
class Feature:
    """A feature of a place."""

    __match_args__: tuple[str, ...]

    def __new__(cls, name: str, meaning: str, value: float, adds: float) -> Feature: ...
    @property
    def name(self) -> str:
        """Its name."""

    @property
    def meaning(self) -> str:
        """What it measures."""

    @property
    def value(self) -> float:
        """How much of that the place has."""

    @property
    def adds(self) -> float:
        """What that adds to the log-odds; never more than 0."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Feature], tuple[Any, ...]]: ...

@final
class FileResult:
    """What became of one edit of a file."""

    __match_args__: tuple[str, ...]

    def __new__(cls, ok: bool, status: str, path: str, code: str | None, strategy: str | None, similarity: float | None, confidence: float | None, occurrences: int, changed: bool, lines_before: tuple[int, int] | None, lines_after: tuple[int, int] | None, diff: str | None, nearest: Nearest | None, conflicts: tuple[Conflict, ...], proposal: Proposal | None, message: str | None, next_step: str | None, file_hash: str | None) -> FileResult: ...
    @property
    def ok(self) -> bool:
        """Whether the file is as the edit wants it, or would be."""

    @property
    def status(self) -> str:
        """`applied`, `already_applied`, `dry_run`, `not_written` where another edit failed, or `failed`."""

    @property
    def path(self) -> str:
        """The file, as the caller named it."""

    @property
    def code(self) -> str | None:
        """The one word that names why it failed, or `already_applied`."""

    @property
    def strategy(self) -> str | None:
        """The strategy that found the place."""

    @property
    def similarity(self) -> float | None:
        """How alike the old text and the place are under that strategy's rule, 0 to 1."""

    @property
    def confidence(self) -> float | None:
        """How sure it is that this is the place, 0 to 1."""

    @property
    def occurrences(self) -> int:
        """How many places are replaced."""

    @property
    def changed(self) -> bool:
        """Whether the new text differs from the old one."""

    @property
    def lines_before(self) -> tuple[int, int] | None:
        """The first and the last replaced line, counted from 1, in the old text."""

    @property
    def lines_after(self) -> tuple[int, int] | None:
        """The same in the new text."""

    @property
    def diff(self) -> str | None:
        """What changes, as a unified diff."""

    @property
    def nearest(self) -> Nearest | None:
        """The lines that come nearest to the old text, where it was refused."""

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where the file and the new one both differ from the old one, where the code is `conflict`."""

    @property
    def proposal(self) -> Proposal | None:
        """The edit that was probably meant, where there is a good guess."""

    @property
    def message(self) -> str | None:
        """What is wrong, or what to know about an old text that did not match exactly."""

    @property
    def next_step(self) -> str | None:
        """What to do next, where it failed."""

    @property
    def file_hash(self) -> str | None:
        """SHA-256 of the file as it is on the disk now."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[FileResult], tuple[Any, ...]]: ...

@final
class PatchResult:
    """What became of a patch."""

    __match_args__: tuple[str, ...]

    def __new__(cls, ok: bool, files: dict[str, str] | None, changes: dict[str, str | None], code: str | None, edits: tuple[FileResult, ...], message: str | None, next_step: str | None) -> PatchResult: ...
    @property
    def ok(self) -> bool:
        """Whether all of it was carried out."""

    @property
    def files(self) -> dict[str, str] | None:
        """Every file afterwards, by its path; None if the patch was refused."""

    @property
    def changes(self) -> dict[str, str | None]:
        """The files that are not as they were, by their paths; None stands for one that is gone."""

    @property
    def code(self) -> str | None:
        """The one word that names the first failure."""

    @property
    def edits(self) -> tuple[FileResult, ...]:
        """What became of each edit, in order."""

    @property
    def message(self) -> str | None:
        """What is wrong."""

    @property
    def next_step(self) -> str | None:
        """What to do next, where it was refused."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[PatchResult], tuple[Any, ...]]: ...

@final
class AnswerStream:
    """A table of answers that is made while it is read, once, by anything that reads Arrow's C streams:
    `pyarrow.table(answers)`, `polars.DataFrame(answers)`, …
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hands the stream over; a second reader is told that it was read."""
