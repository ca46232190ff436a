"""Edits that quote text slightly wrong land where they were meant, or are refused with a reason.

    >>> import fuzzy_edit
    >>> text = "def total(cart):\\n\\treturn sum(cart)\\n"
    >>> result = fuzzy_edit.apply(text, "    return sum(cart)", "    return round(sum(cart), 2)")
    >>> result.output
    'def total(cart):\\n\\treturn round(sum(cart), 2)\\n'

What was decided is an answer, also where it is a refusal: ``ok`` is false then, ``code`` names the reason in one word,
and ``message`` and ``next_step`` say it in sentences. What could not be tried raises :class:`FuzzyEditError`.
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
