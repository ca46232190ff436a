"""Writes the types of the package, `fuzzy_edit/__init__.pyi`: `cargo xtask` runs it before it builds a wheel.

The classes come from `record!` in the Rust sources, with their fields and docs; the rest is below.
"""

import pathlib
import re

PACKAGE = pathlib.Path(__file__).parents[1]
FOLDER = PACKAGE / "python/fuzzy_edit"

# In the order of the file.
SOURCES = ["answer.rs", "explanation.rs", "files.rs"]

# Parameters that several functions share; `{ladder timeout}` stands for their declarations.
SHARED = {
    "ladder": 'str = "adaptive"',
    "replace_all": "bool = False",
    "line": "int | None = None",
    "min_confidence": "float | None = None",
    "raw_endings": "bool = False",
    "timeout": "float | None = 2.0",
    "max_bytes": "int = 33_554_432",
}

HEAD = """\
from collections.abc import Mapping
from os import PathLike
from typing import Any, Protocol, final

"""

FUNCTIONS = '''
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
    {ladder replace_all line min_confidence raw_endings timeout max_bytes}
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
    {ladder replace_all line min_confidence raw_endings timeout max_bytes}
) -> Located:
    """Says where an edit would land; without `new`, where `old` is. The parameters and errors are those of `apply`."""

def explain(
    text: str,
    old: str,
    new: str | None = None,
    *,
    {ladder replace_all line min_confidence raw_endings timeout max_bytes}
) -> Explanation:
    """Says of every strategy what it proposes, and why that is or is not taken.

    The parameters and errors are those of `apply`; `empty_needle` and `identical` are errors here, too, because there is
    nothing to explain.
    """

def apply_batch(
    table: _Table,
    *,
    {ladder min_confidence raw_endings timeout max_bytes}
    threads: int | None = None,
) -> AnswerStream:
    """Answers the edits of a table, on all cores; other threads of Python run meanwhile.

    The table is anything with `__arrow_c_stream__`, of pyarrow, polars, pandas or DuckDB. It has the columns `content`,
    `old` and `new` of strings, and if wanted `replace_all` of booleans and `id` of anything, which is passed on.

    The answers come in the same order as they are read, in the columns `id` (if there is one), `ok`, `output`, `code`,
    `rule`, `strategy`, `similarity`, `confidence` and `proposal` (`old_string`, `new_string`). A row that cannot be tried
    has a code and fails no other: `bad_input` where a text is null, `too_large`, `timeout`, `internal`.

    :param threads: how many rows are answered at once; as many as there are cores unless told.
    :raises FuzzyEditError: `bad_input`, if that is no such table. One whose memory is malformed ends the stream with an
        error of its reader.
    """

def apply_patch(
    files: Mapping[str, str],
    patch: str,
    *,
    target: str | None = None,
    {ladder min_confidence timeout max_bytes}
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
    {replace_all line}
    count: int | None = None,
    expected_hash: str | None = None,
    dry_run: bool = False,
    encoding: str | None = None,
    {ladder min_confidence timeout max_bytes}
) -> FileResult:
    """Edits a file as the command `fuzzy-edit apply` does: atomically, and every byte outside the place stays.

    An empty `old` writes a file that does not exist or is empty. A file that cannot be edited is an answer, with a code:
    `missing`, `outside_root`, `permission`, `stale`, …

    :param root: the directory that the path has to stay in, and that a relative one starts from. Without it, naming a
        file is the permission to edit it.
    :param count: how many places there must be.
    :param expected_hash: the SHA-256 of the file as it was read, as an earlier answer has it in `file_hash`.
    :param dry_run: say what would change, and write nothing.
    :param encoding: that of the file, as web pages name it. Without it, or with `auto`, it is UTF-8, UTF-16 with a byte
        order mark, or else the likely one.
    :raises FuzzyEditError: `bad_input`, if a setting makes no sense or the root is no directory; `internal`.
    """
'''

ANSWER_STREAM = '''@final
class AnswerStream:
    """A table of answers that is made while it is read, once, by anything that reads Arrow's C streams:
    `pyarrow.table(answers)`, `polars.DataFrame(answers)`, …
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hands the stream over; a second reader is told that it was read."""
'''


def shared(names):
    """Returns the declarations of shared parameters, one a line."""
    return "\n    ".join(f"{name}: {SHARED[name]}," for name in names.split())


def exported():
    """Returns the list of what the package exports, as its source has it."""
    return re.search(r"^__all__ = \[.*?^\]\n", (FOLDER / "__init__.py").read_text("utf-8"), re.M | re.S)[0]


def doc(lines):
    """Returns the text of doc comments."""
    return " ".join(re.findall(r"/// (.*)", lines))


def records():
    """Yields the name, the docs, the fields and the methods of every class that `record!` defines."""
    for source in SOURCES:
        blocks = re.findall(r"^record! \{\n(.*?)^\}", (PACKAGE / "src" / source).read_text("utf-8"), re.M | re.S)
        for block in blocks:
            docs, name, fields, methods = re.fullmatch(r"(.*?)    (\w+) \{\n(.*?)^    \}(.*)", block, re.M | re.S).groups()
            found = re.findall(r'((?: +///.*\n)+) +(\w+): "(.*)",\n', fields)
            yield name, doc(docs), [(doc(lines), field, kind) for lines, field, kind in found], methods


def rendered(name, docs, fields, methods):
    """Returns the declaration of a class."""
    parameters = "".join(f", {field}: {kind}" for _, field, kind in fields)
    properties = "".join(
        f'    @property\n    def {field}(self) -> {kind}:\n        """{text}"""\n\n' for text, field, kind in fields
    )
    # What shows a value is declared by `object`, except for notebooks.
    shown = "    def _repr_html_(self) -> str: ...\n" if "_repr_html_" in methods else ""
    return f'''@final
class {name}:
    """{docs}"""

    __match_args__: tuple[str, ...]

    def __new__(cls{parameters}) -> {name}: ...
{properties}{shown}    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[{name}], tuple[Any, ...]]: ...

'''


def stub():
    """Returns the text of the file."""
    functions = re.sub(r"\{(.*?)\}", lambda names: shared(names[1]), FUNCTIONS)
    classes = "".join(rendered(*record) for record in records())
    return HEAD + exported() + functions + "\n" + classes + ANSWER_STREAM


if __name__ == "__main__":
    (FOLDER / "__init__.pyi").write_text(stub(), "utf-8")
