"""A workspace: the tools of an agent."""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import threading

import fuzzy_edit
import pytest
from fuzzy_edit import FuzzyEditError, Workspace

ROOT = pathlib.Path(__file__).parents[3]


@pytest.fixture
def files(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    (tmp_path / "a.py").write_bytes(b"def f():\r\n\treturn  1\r\n")
    return Workspace(tmp_path)


def content(files, path="a.py"):
    return pathlib.Path(files.root, path).read_bytes()


def test_edits_are_written_and_undone(files):
    before = content(files)
    assert files.read("a.py") == before.decode()
    result = files.edit({"path": "a.py", "old": "    return 1", "new": "    return 2"})
    assert (result.ok, result.status, result.edits[0].lines_before) == (True, "applied", (2, 2))
    assert result.for_model.startswith("applied a.py 2") and "\n" not in result.for_model
    assert content(files) == b"def f():\r\n\treturn  2\r\n"
    result = files.multi_edit(
        [
            {"path": "a.py", "after": "def f():", "new": '\t"""One."""'},
            {"path": "a.py", "first": "def f():", "last": "\treturn  2", "copy_to": {"path": "b.py"}},
            {"path": "new/c.py", "old": "", "new": "c = 1\n"},
        ]
    )
    assert result.ok and len(result.edits) == 3, result.message
    assert b"One." in content(files, "b.py") and content(files, "new/c.py") == b"c = 1\n"
    undone = files.undo()
    assert undone and undone.status == "undone" and {action for _, action in undone.files} == {"removed", "restored"}
    assert not os.path.exists(os.path.join(files.root, "b.py"))
    assert files.undo() and content(files) == before
    assert (files.undo().code, files.undo(dry_run=True).ok) == ("missing", False)


def test_a_patch_is_a_batch(files):
    patch = "a.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 3\n>>>>>>> REPLACE\n"
    assert files.patch(patch, dry_run=True).status == "dry_run"
    assert b"1" in content(files)
    assert files.patch(patch).ok and b"return  3" in content(files)
    with pytest.raises(FuzzyEditError) as raised:
        files.patch("no patch")
    assert raised.value.code == "parse"


def test_a_refusal_is_a_result_and_a_wrong_call_an_error(files):
    result = files.edit({"path": "a.py", "old": "return 7", "new": "return 8"})
    assert (result.ok, result.code) == (False, "conflict") and result.rule in result.for_model
    assert files.edit({"path": "../a.py", "old": "a", "new": "b"}).code == "outside_root"
    for edit in [{"path": "a.py", "old": "a", "new": "b", "dry_run": True}, {"old": "a", "new": "b"}]:
        with pytest.raises(FuzzyEditError) as raised:
            files.edit(edit)
        assert raised.value.code == "bad_input"
    with pytest.raises(FuzzyEditError) as raised:
        files.read("none")
    assert raised.value.code == "missing"
    with pytest.raises(FuzzyEditError):
        Workspace(os.path.join(files.root, "none"))


def test_threads_lose_nothing(files):
    lines = [f"line {number}\n" for number in range(40)]
    pathlib.Path(files.root, "many").write_text("".join(lines))

    def edit(number):
        assert files.edit({"path": "many", "old": f"line {number}\n", "new": f"edited {number}\n"}).ok

    threads = [threading.Thread(target=edit, args=(number,)) for number in range(40)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert content(files, "many").decode() == "".join(lines).replace("line", "edited")


def test_turns_are_listed_and_taken_back(files, monkeypatch, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bin")
    shutil.copy(os.environ["FUZZY_EDIT"], folder / "fuzzy-edit")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    subprocess.run(["git", "init", "--quiet"], cwd=files.root, check=True)
    assert files.turns() == []
    before = content(files)
    subprocess.run([folder / "fuzzy-edit", "run", "--", "sh", "-c", "echo x > a.py"], cwd=files.root, check=True)
    [turn] = files.turns()
    assert (turn["number"], content(files)) == (1, b"x\n")
    files.revert(1)
    assert content(files) == before
    with pytest.raises(FuzzyEditError) as raised:
        files.revert(7)
    assert raised.value.code in ("not_in_session", "missing"), raised.value


def test_the_example_answers_as_the_one_in_rust():
    example = ROOT / "examples/edit-tool"
    python = f"{shlex.quote(sys.executable)} {shlex.quote(str(example / 'edit_tool.py'))}"
    cases = ROOT / "crates/facade/fuzzy-pipeline/testdata/hand_written.jsonl"
    subprocess.run([sys.executable, example / "compare.py", cases, shlex.quote(os.environ["EDIT_TOOL"]), python], check=True)


#: Mistakes that a type checker has to find, each a line.
MISTAKES = """\
files.edit({"path": "a", "old": "b", "new": 1})
files.edit({"path": "a", "odl": "b", "new": "c"})
files.edit("a", "b", "c")
files.multi_edit({"path": "a", "old": "b", "new": "c"})
files.read(1)
files.patch("a", dryrun=True)
files.undo(batch=1)
files.edit({"path": "a", "old": "b", "new": "c"}).output
len(files.edit({"path": "a", "old": "b", "new": "c"}).message)
fuzzy_edit.apply("a", "b", 1)
fuzzy_edit.edit_file("a", "b", "c", encoding=1)
files.revert("1")
"""


def test_a_type_checker_finds_mistakes(tmp_path):
    head = 'import fuzzy_edit\n\nfiles = fuzzy_edit.Workspace(".")\n'
    right = 'text: str = files.edit({"path": "a", "after": "b", "new": "c"}).for_model\nprint(text, files.turns())\n'
    (tmp_path / "it.py").write_text(head + right + MISTAKES)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "it.py"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    lines = {int(line.split(":")[1]) for line in found.splitlines() if line.startswith("it.py:") and ": error:" in line}
    first = (head + right).count("\n") + 1
    assert lines == set(range(first, first + MISTAKES.count("\n"))), found
