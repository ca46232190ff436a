"""Results as JSON: as the command prints them with ``--json``, and a ``Result`` as ``batch`` prints it.

Results about texts lack the fields that describe a file: its path and its encoding.
"""

import json
import math

from . import (
    Candidate,
    EditsResult,
    Explanation,
    Feature,
    FileResult,
    Located,
    PatchResult,
    Place,
    Proposal,
    Repair,
    Result,
    UndoResult,
    Weighed,
)


def dumps(answer):
    """Returns a result as one line of JSON without spaces, like the command."""
    return json.dumps(_told(answer), ensure_ascii=False, separators=(",", ":"))


def _told(value):
    """Converts a value to the types of JSON."""
    if type(value) in _FORMS:
        return _told(_FORMS[type(value)](value))
    if isinstance(value, (tuple, list)):
        return [_told(item) for item in value]
    if isinstance(value, dict):
        return {key: _told(item) for key, item in value.items()}
    if hasattr(value, "to_dict"):
        # The fields have the names that the command uses.
        return {name: _told(getattr(value, name)) for name in value.__match_args__}
    return value


def _present(**fields):
    """Returns the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def _result(it):
    found = _present(output=it.output, code=it.code, rule=it.rule, strategy=it.strategy)
    weighed = _present(similarity=it.similarity, confidence=it.confidence, proposal=it.proposal)
    return {"ok": it.ok, **found, **weighed}


def _failure(it, path=None):
    """Returns a refusal, without the number of repetitions, which the package does not count."""
    return {
        "status": "failed",
        "code": it.code,
        "message": it.message,
        "next_step": it.next_step,
        "file_path": path,
        "rule": it.rule,
        "nearest": it.nearest,
        **_present(lost=it.lost),
        "ambiguous_at": it.ambiguous_at,
        "count": it.count,
        **({"conflicts": it.conflicts} if it.conflicts else {}),
        "proposal": it.proposal,
        "tried": it.tried,
        "cause": None,
        "repeats": 0,
    }


def _located(it):
    if not it.ok:
        return _failure(it)
    is_there = it.code == "already_applied"
    return {
        "status": it.code or "found",
        "strategy": it.strategy,
        "similarity": 1.0 if is_there else it.similarity,
        "confidence": 1.0 if is_there else it.confidence,
        "occurrences": 0 if is_there else len(it.places),
        **_present(changed=it.changed),
        "places": it.places,
        "note": it.message,
    }


def _file_result(it):
    if it.status == "failed":
        return _failure(it, it.path)
    return {
        "status": it.status,
        "file_path": it.path,
        "strategy": it.strategy,
        "similarity": it.similarity,
        "confidence": it.confidence,
        "occurrences": it.occurrences,
        "changed": it.changed,
        "lines_before": it.lines_before,
        "lines_after": it.lines_after,
        **_present(cell=it.cell),
        "diff": it.diff,
        "note": it.message,
        "file_hash": it.file_hash,
        "encoding": it.encoding,
        "encoding_detected": it.encoding_detected,
    }


def _patch_result(it):
    failed = [edit for edit in it.edits if edit.status == "failed"]
    if failed:
        return {**_file_result(failed[0]), "edits": it.edits}
    changes = [edit.status for edit in it.edits if edit.status != "already_applied"]
    return {"status": changes[-1] if changes else "already_applied", "edits": it.edits}


def _undo_result(it):
    if not it.ok:
        return {"status": "failed", "code": it.code, "message": it.message, "next_step": it.next_step}
    return {"status": it.status, "batch": it.batch, "files": [{"file_path": path, "action": action} for path, action in it.files]}


def _explanation(it):
    return {
        "status": "explained",
        "ladder": it.ladder,
        "policy": it.policy,
        "outcome": _outcome(it.located),
        "strategies": it.strategies,
        "alignment": it.alignment,
        "weighed": it.weighed,
    }


def _outcome(it):
    if not it.ok:
        return _failure(it)
    place = _place(it.places[0])
    if it.code == "already_applied":
        return {"status": it.code, "changed": False, **place}
    found = {"strategy": it.strategy, "similarity": it.similarity, "confidence": it.confidence}
    return {"status": "found", **found, **place}


def _place(it):
    return {"lines": it.lines, "bytes": it.bytes}


def _candidate(it):
    return {**_place(it.place), "similarity": it.similarity}


def _weighed(it):
    """Returns a score with three decimals, as the command writes it."""
    fields = {name: getattr(it, name) for name in it.__match_args__}
    return {name: _rounded(value) if isinstance(value, float) else value for name, value in fields.items()}


def _rounded(value):
    return math.copysign(math.floor(abs(value) * 1000 + 0.5), value) / 1000 + 0.0


def _proposal(it):
    return {"old_string": it.old, "new_string": it.new}


#: The converters of classes whose JSON differs from their fields.
_FORMS = {
    Candidate: _candidate,
    EditsResult: _patch_result,
    Explanation: _explanation,
    Feature: _weighed,
    FileResult: _file_result,
    Located: _located,
    PatchResult: _patch_result,
    Place: _place,
    Proposal: _proposal,
    Repair: _weighed,
    Result: _result,
    UndoResult: _undo_result,
    Weighed: _weighed,
}
