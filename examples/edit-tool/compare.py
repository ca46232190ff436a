"""Sends 200 edits to two of the programs in this folder, and fails if answers or files differ.

compare.py hand_written.jsonl 'PROGRAM ARGUMENT…' 'PROGRAM ARGUMENT…'
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
EDITS = 200


def calls(cases):
    """Yields the files of 200 edits, and the calls that make them, read the files, and undo some edits."""
    for number, case in enumerate(cases[:EDITS]):
        path = f"{number}/{case['path']}"
        edit = {"path": path, "old": case["old"], "new": case["new"]}
        made = [{"tool": "edit", "arguments": edit}]
        if number % 8 == 4:
            made.insert(0, {"tool": "read", "arguments": {"path": path}})
        elif number % 8 == 5:
            above = {"path": path, "before": case["content"].splitlines()[0], "new": "a line above"}
            made = [{"tool": "multi_edit", "arguments": {"edits": [edit, above]}}]
        elif number % 8 == 6:
            block = f"{path}\n<<<<<<< SEARCH\n{case['old']}\n=======\n{case['new']}\n>>>>>>> REPLACE\n"
            made = [{"tool": "patch", "arguments": {"patch": block}}]
        elif number % 8 == 7:
            made.append({"tool": "undo", "arguments": {}})
        yield path, case["content"], made
    wrong = [{"path": "none"}, {"path": "../out", "old": "", "new": "x"}, {"path": "a", "old": "b", "new": "c", "dry": 1}]
    tools = ["read", "edit", "edit"]
    yield "a", "a\n", [{"tool": tool, "arguments": it} for tool, it in zip(tools, wrong)]


def run(program, cases):
    """Returns the answers of a program, and the files that it leaves."""
    with tempfile.TemporaryDirectory() as folder:
        root, state = os.path.join(folder, "root"), os.path.join(folder, "state")
        sent = []
        for path, content, made in calls(cases):
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode())
            sent += made
        lines = "".join(json.dumps(call) + "\n" for call in sent)
        environment = {**os.environ, "XDG_STATE_HOME": state}
        done = subprocess.run(
            [*shlex.split(program), root], input=lines.encode(), stdout=subprocess.PIPE, check=True, env=environment
        )
        answers = [json.loads(line)["text"].replace(os.path.realpath(root), "ROOT") for line in done.stdout.splitlines()]
        files = {str(it.relative_to(root)): it.read_bytes() for it in pathlib.Path(root).rglob("*") if it.is_file()}
    assert len(answers) == len(sent), f"{len(answers)} answers to {len(sent)} calls"
    return list(zip(sent, answers)), files


def main():
    cases = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text("utf-8").splitlines()]
    for name in ["src/main.rs", "edit_tool.py", "edit_tool.mts"]:
        length = len((FOLDER / name).read_text("utf-8").splitlines())
        assert length <= 60, f"{name} has {length} lines"
    (one, files), (other, others) = (run(program, cases) for program in sys.argv[2:4])
    differing = [(call, text, another) for (call, text), (_, another) in zip(one, other) if text != another]
    for call, text, another in differing[:5]:
        print(json.dumps(call), text, another, sep="\n--\n", end="\n\n")
    landed = sum(text.startswith("applied") for _, text in one)
    assert not differing, f"{len(differing)} of {len(one)} answers differ"
    assert files == others, "files differ"
    assert landed > EDITS / 2, f"only {landed} edits landed"
    print(f"{len(one)} equal answers to {EDITS} edits, {landed} of which landed; {len(files)} equal files")


if __name__ == "__main__":
    main()
