"""Edits that quote text slightly wrong land where they were meant, or are refused with a reason.

    >>> import fuzzy_edit
    >>> text = "def total(cart):\\n\\treturn sum(cart)\\n"
    >>> result = fuzzy_edit.apply(text, "    return sum(cart)", "    return round(sum(cart), 2)")
    >>> result.output
    'def total(cart):\\n\\treturn round(sum(cart), 2)\\n'

- ``apply`` edits a text, ``locate`` says where an edit would land, ``explain`` why.
- ``apply_patch`` carries out a patch on texts, ``edit_file`` edits a file on the disk.
- ``apply_batch`` answers the edits of a table; ``fuzzy_edit.spark`` does so on a cluster.
- ``LADDERS`` names the ladders, which say how much may be wrong; ``adaptive`` is the one unless told.

What was decided is an answer, also where it is a refusal. It is true if it is ``ok``; else ``code`` names the reason in one
word, and ``message`` and ``next_step`` say it in sentences. ``to_dict()`` and ``to_json()`` return all of it. What could not
be tried raises ``FuzzyEditError``.

Other threads run while an edit is decided: in a coroutine, call ``await asyncio.to_thread(fuzzy_edit.apply, text, old, new)``.
Every decision is a line for the logger ``fuzzy_edit``, at the level DEBUG, but for those of a table.
"""

from ._native import (
    LADDERS,
    Alignment,
    AnswerStream,
    Candidate,
    Conflict,
    Explanation,
    Feature,
    FileResult,
    FuzzyEditError,
    LandedLine,
    Located,
    Nearest,
    PatchResult,
    Place,
    Proposal,
    Result,
    Row,
    Splice,
    Tried,
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
