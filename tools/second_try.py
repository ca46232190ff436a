#!/usr/bin/env python3
"""Sends refused edits again, as an agent would that reads nothing but the message, and counts how many land then.

usage: second_try.py BINARY CASES.jsonl[.gz]... [--list]

Each refused case that has a right answer is answered by the text of its message, in this order: the proposal; the ends
that the next step names; the lines that the diff shows. The old text becomes the file's lines as shown, and the new text
the same lines with the edit's changes. Nothing else of the file is read. `--list` prints the cases that do not land right.

right    the result is one of the right answers (for a `span`: every changed line is there, give or take two)
refused  the second edit is refused, too, or the message names no lines
sibling  a line changes that no right answer changes
other    the right lines change, to another text
"""

import collections
import difflib
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NO_LIMIT = ["--timeout-ms", "60000"]
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def load(path):
    """Returns the cases of a file."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def right_answers(case):
    """Returns the right results of a case that change its file."""
    answers = [case.get("expected"), *case.get("accept", [])]
    return [text for text in answers if text is not None and text != case["content"]]


def report(binary, case, folder):
    """Returns the report of `apply` about a case, which writes nothing."""
    texts = {"file": case["content"], "old": case["old"], "new": case["new"]}
    for name, text in texts.items():
        (Path(folder) / name).write_text(text, encoding="utf-8", newline="")
    command = [binary, "apply", "file", "--json", "--dry-run", "--old", "@old", "--new", "@new", *NO_LIMIT]
    command += ["--line", str(case["line"])] if case.get("line") else []
    command += ["--all"] if case.get("replace_all") else []
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout)


def batch(binary, cases):
    """Returns the answers to edits by their ids."""
    fields = ("id", "content", "old", "new", "line", "replace_all", "first", "last")
    lines = [json.dumps({key: case[key] for key in fields if key in case}) for case in cases]
    run = subprocess.run([binary, "batch", *NO_LIMIT], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}


def pairs(old, file):
    """Pairs lines of the old text with lines of the file: equal ones, then those most alike between them."""
    found = []
    keys = [[" ".join(line.split()) for line in lines] for lines in (old, file)]
    for _, a, b, c, d in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        while a < b and c < d:
            similar = [
                (difflib.SequenceMatcher(None, keys[0][a], keys[1][at], autojunk=False).ratio(), -at) for at in range(c, d)
            ]
            ratio, at = max(similar)
            if ratio > 0.6:
                found.append((a, -at))
                c = 1 - at
            a += 1
    return dict(found)


def respelt(old, new, file):
    """Returns a changed line with the file's spelling of the parts that the edit keeps."""
    texts = [TOKEN.findall(line) for line in (old, file, new)]
    of_old, of_file, of_new = texts
    to_file = difflib.SequenceMatcher(None, of_old, of_file, autojunk=False).get_opcodes()
    line, at = [], 0
    for kind, a, b, c, d in difflib.SequenceMatcher(None, of_old, of_new, autojunk=False).get_opcodes():
        if kind == "equal":
            for tag, i, j, k, m in to_file:
                if i < b and a < j:
                    low, high = max(i, a), min(j, b)
                    line += of_file[k + low - i : k + high - i] if tag == "equal" else of_file[k:m] if i >= a else []
                elif tag == "insert" and a < i == j < b:
                    line += of_file[k:m]
            at = b
        else:
            line += of_new[c:d]
    return "".join(line) if at else new


def lines_of(text):
    """Returns the lines of a text, without an empty last one."""
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1].strip() else lines


def shown(case, diff):
    """Returns the lines of the file that a diff shows, and before them those of the old text that are equal."""
    rows = diff.rstrip("\n").split("\n")
    is_cut = rows[-1] == "…"
    rows = rows[:-1] if is_cut else rows
    old = lines_of(case["old"])
    ours = [row[1:] for row in rows if row[:1] in (" ", "-")]
    start = len(old) - len(ours)
    if is_cut:
        start = next((at for at in range(len(old)) if ours and old[at : at + len(ours)] == ours), start)
    theirs = [row[1:].strip("…") for row in rows if row[:1] in (" ", "+")]
    return old[: max(start, 0)] + theirs + (old[start + len(ours) :] if is_cut else [])


def rebased(case, file):
    """Returns the edit with lines of the file for its old text."""
    old, new = (lines_of(case[key]) for key in ("old", "new"))
    counterpart = pairs(old, file)
    result, at = [], 0

    def keep(line):
        nonlocal at
        if line in counterpart:
            result.extend(file[at : counterpart[line] + 1])
            at = counterpart[line] + 1

    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            for line in range(a, b):
                keep(line)
            continue
        gone = [counterpart[line] for line in range(a, b) if line in counterpart]
        if gone:
            result.extend(file[at : gone[0]])
        changed = dict(zip(range(a, b), range(c, d))) if b - a == d - c else {}
        for line in range(c, d):
            source = next((ours for ours, theirs in changed.items() if theirs == line and ours in counterpart), None)
            result.append(new[line] if source is None else respelt(old[source], new[line], file[counterpart[source]]))
        at = max([at, *(line + 1 for line in gone)])
    result.extend(file[at:])
    return {**case, "old": "\n".join(file), "new": "\n".join(result)}


def second(case, failure):
    """Returns the second edit of a case; none if the message is of no use."""
    if proposal := failure.get("proposal"):
        return {**case, "old": proposal["old_string"], "new": proposal["new_string"]}
    if ends := re.search(r'send "first": ("(?:[^"\\]|\\.)*") and "last": ("(?:[^"\\]|\\.)*")', failure["next_step"]):
        edit = {key: value for key, value in case.items() if key != "old"}
        return {**edit, "first": json.loads(ends[1]), "last": json.loads(ends[2])}
    nearest = failure.get("nearest")
    return rebased(case, shown(case, nearest["diff"])) if nearest and nearest["diff"] else None


def changed(one, other):
    """Returns the numbers of the lines of one text that differ from another."""
    lines = [text.split("\n") for text in (one, other)]
    blocks = difflib.SequenceMatcher(None, *lines, autojunk=False).get_opcodes()
    return {at for kind, a, b, _, _ in blocks if kind != "equal" for at in range(a, max(b, a + 1))}


def verdict(case, output):
    """Returns the verdict on the second answer."""
    if output is None or output == case["content"]:
        return "refused"
    lines = changed(case["content"], output)
    if case.get("expected_kind") == "span":
        first, last = case["target"]
        return "right" if all(first - 2 <= at <= last + 2 for at in lines) else "sibling"
    answers = right_answers(case)
    if output in answers:
        return "right"
    places = {near for text in answers for at in changed(case["content"], text) for near in range(at - 2, at + 3)}
    return "other" if lines <= places else "sibling"


def main():
    """Prints the counts of each file."""
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(arguments) < 2:
        sys.exit(__doc__)
    binary = str(Path(arguments[0]).resolve())
    for path in arguments[1:]:
        cases = [case for case in load(path) if right_answers(case) or case.get("expected_kind") == "span"]
        first = batch(binary, cases)
        refused = [case for case in cases if not first[case["id"]]["ok"]]
        counts, wrong = collections.Counter(), []
        with tempfile.TemporaryDirectory() as folder:
            failures = {case["id"]: report(binary, case, folder) for case in refused}
        again = [edit for case in refused if (edit := second(case, failures[case["id"]]))]
        answers = batch(binary, again) if again else {}
        for case in refused:
            answer = answers.get(case["id"], {})
            found = verdict(case, answer.get("output") if answer.get("ok") else None)
            counts[found] += 1
            if found != "right":
                wrong.append(f"  {case['id']} {found} {failures[case['id']].get('rule')}: {case.get('name', '')}")
        share = counts["right"] / max(1, len(refused))
        print(f"{Path(path).name}: {len(refused)} refused, {share:.1%} right at the second try,", dict(counts))
        if "--list" in sys.argv:
            print("\n".join(wrong))


if __name__ == "__main__":
    main()
