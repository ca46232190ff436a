"""Lines of real Python files and of JSON objects are moved to where they belong: a parser judges every result."""

import glob
import os
import random
from collections import Counter

import fuzzy_edit
import moves

FILES = 120
OBJECTS = 100


def quoted(lines, start, end, others):
    """Returns the shortest text of whole lines with a word, to the line ``end`` and from ``start`` or above, that occurs once."""
    text = "\n".join(lines)
    while True:
        quote = "\n".join(lines[start:end])
        if any(c.isalnum() for c in quote) and text.count(quote) == 1:
            return quote
        start -= 1
        if start < 0 or start in others:
            return None


def move(case):
    """Makes a move; returns its verdict, or none if its lines cannot be named by their text."""
    lines = case.text.split("\n")
    start, end = case.lines
    part = "\n".join(lines[start:end])
    if case.is_below:
        beside = quoted(lines, case.beside, case.beside + 1, range(start, end))
    else:
        beside = lines[case.beside] if lines.count(lines[case.beside]) == 1 else None
    if case.text.count(part) != 1 or beside is None:
        return None
    place = {"move_after": beside} if case.is_below else {"move_before": beside}
    result = fuzzy_edit.apply(case.text, part, **place)
    if not result.ok:
        return "refused" if result.code != "already_applied" else None
    fault = case.check(result.output)
    assert fault is None, (case.kind, fault, case.lines, case.beside, result.output)
    return "right"


def test_functions_and_statements_keep_their_meaning():
    rng = random.Random(1)
    root = os.path.dirname(os.__file__)
    files = sorted(glob.glob(f"{root}/*.py") + glob.glob(f"{root}/[a-z]*/*.py"))
    files = [file for file in files if "/test" not in file and "site-packages" not in file]
    counts = Counter()
    for file in rng.sample(files, min(FILES, len(files))):
        try:
            with open(file, encoding="utf-8") as source:
                text = source.read()
        except UnicodeDecodeError:
            continue
        counts.update(filter(None, map(move, moves.python_moves(text, rng))))
    assert counts["refused"] * 20 <= sum(counts.values()) and counts["right"] > FILES, counts


def test_members_are_moved_inserted_and_deleted():
    rng = random.Random(1)
    counts = Counter()
    for _ in range(OBJECTS):
        counts.update(filter(None, map(move, moves.json_moves(rng))))
        for case in moves.json_changes(rng):
            result = fuzzy_edit.apply(case.text, **case.edit)
            assert result.ok, (case, result.message)
            assert case.check(result.output) is None, (case, result.output)
    assert counts["refused"] == 0 and counts["right"] > OBJECTS, counts
