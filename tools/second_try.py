#!/usr/bin/env python3
"""Sends refused edits again, as an agent would that reads nothing but the message, and counts how many land then.

usage: second_try.py BINARY CASES.jsonl[.gz]... [--by command|mcp|hook] [--list]

Each refused case that has a right answer is answered from the words of its message alone, as the command, the MCP server or
the hook of Claude Code prints it, in this order: the proposal; the ends that the next step names; the lines that the diff
shows, as a merge of the edit with them: where both change a line, it becomes the edit's. `--list` prints the cases that do
not land right. `shown` counts the refusals, also of edits without a right answer, whose message shows lines of the file: how
many of these land if they are sent back as an old text.

right    the result is one of the right answers (for a `span`: every changed line is there, give or take two)
refused  the second edit is refused, too, or the message names no lines
sibling  a line changes that no right answer changes
other    the right lines change, to another text
"""

import argparse
import collections
import difflib
import gzip
import itertools
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

NO_LIMIT = ["--timeout-ms", "60000"]
#: A mark where a line or a diff is cut.
CUT = "…"
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def load(path):
    """Returns the cases of a file."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def right_answers(case):
    """Returns the right results of a case that change its file."""
    answers = [case.get("expected"), *case.get("accept", [])]
    return [text for text in answers if text is not None and text != case["content"]]


def printed(binary, folder, words, text=""):
    """Returns what a command prints about the file in a folder, on both outputs."""
    home = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder}
    run = subprocess.run([binary, *words], cwd=folder, input=text, capture_output=True, text=True, env=home, check=False)
    return run.stdout + run.stderr


def by_command(binary, case, folder):
    """Returns the message of `apply`."""
    words = ["apply", "file", "--dry-run", "--old=" + case["old"], "--new=" + case["new"], *NO_LIMIT]
    words += ["--line", str(case["line"])] if case.get("line") else []
    words += ["--all"] if case.get("replace_all") else []
    return re.sub("^  ", "", printed(binary, folder, words), flags=re.M)


def arguments(case):
    """Returns the arguments of a tool for models."""
    return {
        "old_string": case["old"],
        "new_string": case["new"],
        **({"replace_all": True} if case.get("replace_all") else {}),
    }


def by_mcp(binary, case, folder):
    """Returns the message of the tool of the MCP server."""
    line = {"line": case["line"]} if case.get("line") else {}
    call = {"name": "edit", "arguments": {"file_path": "file", **line, **arguments(case)}}
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "reader", "version": "1"}}
    requests = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    text = "".join(json.dumps({"jsonrpc": "2.0", **request}) + "\n" for request in requests)
    answers = printed(binary, folder, ["mcp", "--root", ".", *NO_LIMIT], text).splitlines()
    return json.loads(answers[1])["result"]["content"][0]["text"]


def by_hook(binary, case, folder):
    """Returns the message of the hook after Claude Code refused the edit."""
    call = {"tool_name": "Edit", "tool_input": {"file_path": folder + "/file", **arguments(case)}}
    call["tool_response"] = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    text = printed(binary, folder, ["hook", "claude-code", "failed"], json.dumps({"cwd": folder, "tool_calls": [call]}))
    return json.loads(text)["hookSpecificOutput"]["additionalContext"] if text else ""


def messages(by, binary, cases):
    """Returns the messages of refusals by the ids of their cases."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            (Path(folder) / "file").write_text(case["content"], encoding="utf-8", newline="")
            found[case["id"]] = by(binary, case, folder)
    return found


def batch(binary, cases):
    """Returns the answers to edits by their ids."""
    fields = ("id", "content", "old", "old_string", "new", "new_string", "line", "replace_all", "first", "last")
    lines = [json.dumps({key: case[key] for key in fields if key in case}) for case in cases]
    run = subprocess.run([binary, "batch", *NO_LIMIT], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}


def lines_of(text):
    """Returns the lines of a text, without an empty last one."""
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1].strip() else lines


def operations(old, new):
    """Returns how a sequence becomes another one: the bounds of each part in both."""
    return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def merge(old, file, new, both):
    """Merges two versions of a sequence, each with its operations. `both` merges a part that both change."""
    sides = [[code[1:] for code in codes if code[0] != "equal"] for _, codes in (file, new)]
    changes = sorted((*change, side) for side, found in enumerate(sides) for change in found)
    result, at = [], 0
    while changes:
        start, end = changes[0][:2]
        group = []
        # Lines that the file lacks come back with the edit's lines beside them.
        while changes and (changes[0][0] < end or changes[0][:2] == (start, end) or lacks(group, changes[0], end)):
            end = max(end, changes[0][1])
            group.append(changes.pop(0))
        texts = []
        for side, (version, _) in enumerate((file, new)):
            text, kept = [], start
            for a, b, c, d in (change[:4] for change in group if change[4] == side):
                text += old[kept:a] + version[c:d]
                kept = b
            texts.append(text + old[kept:end])
        found = {change[4] for change in group}
        result += old[at:start] + (both(old[start:end], *texts) if len(found) == 2 else texts[found.pop()])
        at = end
    return result + old[at:]


def lacks(group, change, end):
    """Returns whether one of two changes that touch is a deletion by the file."""
    return change[0] == end and any(side == 0 and first == last for _, _, first, last, side in [*group, change])


def merged_line(old, file, new):
    """Merges three versions of a line by their tokens. If both others change a token, the line is the new one."""
    old, file, tokens = (TOKEN.findall(line) for line in (old, file, new))
    found = merge(old, (file, operations(old, file)), (tokens, operations(old, tokens)), lambda *_: [None])
    return new if None in found else "".join(found)


def merged_lines(old, file, new):
    """Merges lines that both the file and the edit change: each by its tokens, or they are the edit's."""
    if not old:
        return file if file == new else file + new
    return [merged_line(*lines) for lines in zip(old, file, new)] if len(old) == len(file) == len(new) else new


def hunks(rows):
    """Returns the blocks of a diff, which are apart in the file."""
    return [list(part) for is_gap, part in itertools.groupby(rows, key=lambda row: row == CUT) if not is_gap]


def shown(case, rows):
    """Returns the lines of the file that a diff shows, and the operations from the old text to them.

    Lines of the old text that the diff leaves out are in the file.
    """
    old, file, codes, at = lines_of(case["old"]), [], [], 0

    def add(kind, count, lines):
        nonlocal at
        codes.append((kind, at, at + count, len(file), len(file) + len(lines)))
        file.extend(lines)
        at += count

    for hunk in hunks(rows):
        ours = [row[1:].strip(CUT) for row in hunk if row[:1] in " -"]
        places = range(at, len(old) - len(ours) + 1)
        start = next((place for place in places if all(map(str.__contains__, old[place:], ours))), at)
        add("equal", start - at, old[at:start])
        # A removed line and the added ones after it are one change.
        changes = re.findall(r"( |-*\+*)", "".join(row[:1] or " " for row in hunk))
        for change in filter(None, changes):
            part, hunk = hunk[: len(change)], hunk[len(change) :]
            lines = [row[1:].strip(CUT) for row in part if row[:1] in " +"]
            add("equal" if change == " " else "replace", sum(sign in " -" for sign in change), lines)
    add("equal", len(old) - at, old[at:])
    return file, codes


def second(case, message):
    """Returns the edits of an agent that has read a message; none if it is of no use."""
    if found := re.search(r"proposal: (\{.*\})", message):
        return [json.loads(found[1])]
    if found := re.search(r"^proposal:\n((?:[ +@-].*\n)+)", message, re.M):
        blocks = [block.splitlines()[1:] for block in re.split("^(?=@@)", found[1], flags=re.M) if block]
        sides = [[[row[1:] for row in block if row[0] in signs] for signs in (" -", " +")] for block in blocks]
        return [{"old_string": "\n".join(old), "new_string": "\n".join(new)} for old, new in sides]
    if ends := re.search(r'send "first": ("(?:[^"\\]|\\.)*") and "last": ("(?:[^"\\]|\\.)*")', message):
        return [{"first": json.loads(ends[1]), "last": json.loads(ends[2]), "new_string": case["new"]}]
    if not (rows := diff_in(message)):
        return []
    file, codes = shown(case, rows)
    old, new = lines_of(case["old"]), lines_of(case["new"])
    result = merge(old, (file, codes), (new, operations(old, new)), merged_lines)
    return [{"old_string": "\n".join(file), "new_string": "\n".join(result)}]


def diff_in(message):
    """Returns the rows of the diff in a message."""
    found = re.search(r"\(-\) and lines? .*\(\+\):\n((?:[ +-].*\n|…\n|\n)+)", message + "\n")
    return found[1].rstrip("\n").split("\n") if found else []


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


def sent_back(binary, cases, texts):
    """Counts how many of the shown blocks of lines land if they are an old text, and how many do not."""
    edits = []
    for case in cases:
        blocks = [[row[1:] for row in hunk if row[:1] in " +"] for hunk in hunks(diff_in(texts[case["id"]]))]
        lines = max(blocks, key=len, default=[])
        if any(line.strip() for line in lines):
            old = "\n".join(lines)
            edits.append({"id": case["id"], "content": case["content"], "old": old, "new": old + " changed"})
    answers = batch(binary, edits) if edits else {}
    landed = sum(answer["ok"] for answer in answers.values())
    return landed, len(answers) - landed


def main():
    """Prints the counts of each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--by", choices=BY, default="command", help="the surface whose messages are read")
    parser.add_argument("--list", action="store_true", help="print the cases that do not land right")
    given = parser.parse_args()
    binary, total, back = str(given.binary.resolve()), collections.Counter(), [0, 0]
    for path in given.cases:
        cases = load(path)
        first = batch(binary, cases)
        refused = [case for case in cases if not first[case["id"]]["ok"]]
        texts = messages(BY[given.by], binary, refused)
        counts = sent_back(binary, refused, texts)
        back = [sum(both) for both in zip(back, counts)]
        labelled = [case for case in refused if right_answers(case) or case.get("expected_kind") == "span"]
        edits = {case["id"]: second(case, texts[case["id"]]) for case in labelled}
        outputs = {case["id"]: case["content"] for case in labelled if edits[case["id"]]}
        for nth in range(max(map(len, edits.values()), default=0)):
            left = [
                {"id": name, "content": outputs[name], **edits[name][nth]}
                for name in outputs
                if outputs[name] is not None and nth < len(edits[name])
            ]
            for name, answer in batch(binary, left).items():
                outputs[name] = answer.get("output") if answer["ok"] else None
        found = {case["id"]: verdict(case, outputs.get(case["id"])) for case in labelled}
        total.update(found.values())
        print(f"{Path(path).name}: {summary(collections.Counter(found.values()), counts)}")
        if given.list:
            print("".join(f"  {name} {word}\n" for name, word in found.items() if word != "right"), end="")
    print(f"all: {summary(total, back)}")


def summary(counts, back):
    """Returns the counts of second tries and of blocks that are sent back in words."""
    words = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    refused = sum(counts.values())
    share = counts["right"] / max(1, refused)
    return f"{refused} refused with a right answer, {share:.1%} right ({words}); shown: {back[0]} of {sum(back)} land"


BY = {"command": by_command, "mcp": by_mcp, "hook": by_hook}


if __name__ == "__main__":
    main()
