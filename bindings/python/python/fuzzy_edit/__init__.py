"""Lands edits with a slightly wrong old text in the intended place, or refuses them with a reason.

    >>> import fuzzy_edit
    >>> text = "def total(cart):\\n\\treturn sum(cart)\\n"
    >>> result = fuzzy_edit.apply(text, "    return sum(cart)", "    return round(sum(cart), 2)")
    >>> result.output
    'def total(cart):\\n\\treturn round(sum(cart), 2)\\n'

- ``apply`` edits a text, ``locate`` finds the place where an edit would land, ``explain`` gives the reasons.
- ``apply_patch`` applies a patch to texts, ``edit_file`` edits a file on the disk.
- ``Workspace`` has what the tools of an agent need: read, edit, patch and undo files of a directory.
- ``apply_batch`` applies the edits of a table; ``fuzzy_edit.spark`` does so on a cluster.
- ``LADDERS`` names the ladders, which define how much may be wrong; the default is ``adaptive``.

Every decision returns a result, also a refusal. A result is true if ``ok`` is; otherwise ``code`` is the reason in one
word, and ``message`` and ``next_step`` explain it. ``to_dict()`` and ``to_json()`` return all fields. A function raises
``FuzzyEditError`` if an edit could not be tried.

Other threads run during an edit. In a coroutine, call ``await asyncio.to_thread(fuzzy_edit.apply, text, old, new)``.
The logger ``fuzzy_edit`` gets a line for each decision at the level DEBUG, except for the edits of a table.
"""

from ._native import (
    LADDERS,
    Alignment,
    AnswerStream,
    Candidate,
    CellLines,
    Conflict,
    EditsResult,
    Explanation,
    Feature,
    FileResult,
    FuzzyEditError,
    LandedLine,
    Located,
    Nearest,
    NumberedLine,
    PatchResult,
    Place,
    Proposal,
    Repair,
    Result,
    Row,
    Splice,
    Tried,
    UndoResult,
    Weighed,
    __version__,
    apply,
    apply_batch,
    apply_patch,
    edit_file,
    explain,
    locate,
)
__all__ = [
    "LADDERS",
    "Alignment",
    "AnswerStream",
    "Candidate",
    "CellLines",
    "Conflict",
    "Edit",
    "EditsResult",
    "Explanation",
    "Feature",
    "FileResult",
    "FuzzyEditError",
    "LandedLine",
    "Located",
    "Nearest",
    "NewPlace",
    "NumberedLine",
    "PatchResult",
    "Place",
    "Proposal",
    "Repair",
    "Result",
    "Row",
    "Splice",
    "Tried",
    "UndoResult",
    "Weighed",
    "Workspace",
    "__version__",
    "apply",
    "apply_batch",
    "apply_patch",
    "edit_file",
    "explain",
    "locate",
]


def __getattr__(name):
    # What these import would slow down the import of the package.
    if name in ("Edit", "NewPlace", "Workspace"):
        from . import _workspace

        return getattr(_workspace, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
