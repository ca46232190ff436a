"""Patches of texts, and edits of files on the disk."""

import hashlib
import json
import os

import fuzzy_edit
import pytest
from fuzzy_edit import FuzzyEditError

PATCH = """Here it is:

```diff
--- a/a.py
+++ b/a.py
@@ -1,2 +1,2 @@
 one
-two
+2
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+new
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-old
```
"""


@pytest.fixture(autouse=True)
def state(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


def test_a_patch_of_texts():
    files = {"a.py": "one\r\ntwo\r\n", "old.py": "old\n", "other.py": "1\n"}
    result = fuzzy_edit.apply_patch(files, PATCH)
    assert result.ok and result.code is None
    assert result.files == {"a.py": "one\r\n2\r\n", "other.py": "1\n", "new.py": "new\n"}
    assert result.changes == {"a.py": "one\r\n2\r\n", "new.py": "new\n", "old.py": None}
    assert [edit.path for edit in result.edits] == ["a.py", "new.py", "old.py"]
    assert files == {"a.py": "one\r\ntwo\r\n", "old.py": "old\n", "other.py": "1\n"}


def test_a_patch_is_carried_out_as_a_whole_or_not_at_all():
    result = fuzzy_edit.apply_patch({"a.py": "one\ntwo\n"}, PATCH)
    assert (result.ok, result.files, result.changes, result.code) == (False, None, {}, "missing")
    assert [edit.status for edit in result.edits] == ["not_written", "not_written", "failed"]
    assert "old.py" in result.message and result.next_step


def test_a_refused_edit_of_a_file_names_its_rule(tmp_path):
    (tmp_path / "a").write_text("a\na\n")
    assert fuzzy_edit.edit_file(tmp_path / "a", "a", "b").rule == "several-places"
    assert fuzzy_edit.edit_file(tmp_path / "none", "a", "b").rule is None
    assert fuzzy_edit.edit_file(tmp_path / "a", "a", "b", replace_all=True).rule is None
    result = fuzzy_edit.apply_patch({"a": "one\n"}, "--- a/a\n+++ b/a\n@@ @@\n-width of the frame\n+x\n")
    assert (result.rule, result.edits[0].rule) == ("not-found", "not-found")


def test_a_patch_of_the_file_that_was_meant():
    block = "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"
    assert fuzzy_edit.apply_patch({"a": "one\ntwo\n"}, block, file="a").files == {"a": "one\n2\n"}
    # A line that does not look like a file name is one if a file has that name.
    assert fuzzy_edit.apply_patch({"TODO": "one\ntwo\n"}, "TODO\n" + block).files == {"TODO": "one\n2\n"}


def test_a_patch_can_be_taken_back():
    files = {"a.py": "one\ntwo\n", "old.py": "old\n"}
    patched = fuzzy_edit.apply_patch(files, PATCH)
    assert fuzzy_edit.apply_patch(patched.files, PATCH, reverse=True).files == files
    with pytest.raises(FuzzyEditError, match="cannot be reversed"):
        fuzzy_edit.apply_patch({"a": "a\n"}, "*** Begin Patch\n*** Delete File: a\n*** End Patch\n", reverse=True)


def test_names_lose_as_many_components_as_asked_for():
    diff = "--- a/lib/x\n+++ b/lib/x\n@@ -1 +1 @@\n-one\n+1\n"
    for files, strip in [
        ({"lib/x": "one\n"}, None),
        ({"lib/x": "one\n"}, 1),
        ({"x": "one\n"}, 2),
        # Every name has one component too many: the patch was made in a parent directory.
        ({"x": "one\n"}, None),
    ]:
        result = fuzzy_edit.apply_patch(files, diff, strip=strip)
        assert list(result.changes.values()) == ["1\n"], (files, strip)
    only = "--- b/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+1\n"
    assert fuzzy_edit.apply_patch({"b/x": "one\n"}, only, strip=0).files == {"b/x": "1\n"}
    assert fuzzy_edit.apply_patch({"y": "one\n"}, diff, strip=2).code == "missing"
    with pytest.raises(FuzzyEditError, match="strip is -1"):
        fuzzy_edit.apply_patch({}, diff, strip=-1)


def test_patches_that_cannot_be_tried():
    for code, files, patch, settings in [
        ("parse", {}, "no patch at all", {}),
        ("bad_input", {"a": "\ud800"}, PATCH, {}),
        ("bad_input", {"\ud800": "a"}, PATCH, {}),
        ("too_large", {"a": "a" * 100}, PATCH, {"max_bytes": 50}),
    ]:
        with pytest.raises(FuzzyEditError) as caught:
            fuzzy_edit.apply_patch(files, patch, **settings)
        assert caught.value.code == code
    for files, message in [
        ({"a": 1}, r"files\['a'\] is of type int, not str"),
        ({"a": b"1"}, r"files\['a'\] is of type bytes, not str; decode it first"),
        ({b"a": "1"}, "a path of files is of type bytes"),
    ]:
        with pytest.raises(TypeError, match=message):
            fuzzy_edit.apply_patch(files, PATCH)
    with pytest.raises(TypeError, match="patch is of type bytes"):
        fuzzy_edit.apply_patch({}, PATCH.encode())
    with pytest.raises(TypeError, match="files is of type list, not a mapping"):
        fuzzy_edit.apply_patch([("a", "1")], PATCH)


def test_a_file(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"def f():\r\n\treturn  1\r\n")
    path.chmod(0o640)
    seen = hashlib.sha256(path.read_bytes()).hexdigest()
    shown = fuzzy_edit.edit_file(path, "    return 1", "    return 2", dry_run=True)
    assert (shown.ok, shown.status, shown.file_hash) == (True, "dry_run", seen)
    assert b"return  1" in path.read_bytes()
    result = fuzzy_edit.edit_file("a.py", "    return 1", "    return 2", root=tmp_path, expected_hash=seen)
    assert (result.ok, result.status, result.lines_after) == (True, "applied", (2, 2))
    assert path.read_bytes() == b"def f():\r\n\treturn  2\r\n" and path.stat().st_mode & 0o777 == 0o640
    assert result.file_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    assert result.diff.startswith("--- a.py")
    stale = fuzzy_edit.edit_file(path, "return  2", "return 3", expected_hash=seen)
    assert (stale.ok, stale.code) == (False, "stale")


def test_a_file_that_is_not_utf_8(tmp_path):
    path = tmp_path / "a.ini"
    for settings, is_detected in [({}, True), ({"encoding": "auto"}, True), ({"encoding": "cp1252"}, False)]:
        path.write_bytes("Größe = 5 €\r\n".encode("cp1252"))
        result = fuzzy_edit.edit_file(path, "Größe", "Maß", **settings)
        assert (result.encoding, result.encoding_detected) == ("windows-1252", is_detected)
        assert path.read_bytes() == "Maß = 5 €\r\n".encode("cp1252")
    result = fuzzy_edit.edit_file(path, "Maß", "→")
    assert (result.code, result.encoding, result.encoding_detected) == ("encoding", None, False)


def test_files_that_cannot_be_edited(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "a").write_text("a\na\n")
    (tmp_path / "b").write_bytes(b"\0\1\2")
    for code, path, settings in [
        ("missing", "none", {}),
        ("ambiguous", "a", {}),
        ("count_mismatch", "a", {"replace_all": True, "count": 3}),
        ("binary", "b", {}),
        ("not_a_file", "in", {}),
        ("too_large", "a", {"max_bytes": 2}),
    ]:
        result = fuzzy_edit.edit_file(tmp_path / path, "a", "b", **settings)
        assert (result.ok, result.status, result.code) == (False, "failed", code)
        assert result.next_step
    assert fuzzy_edit.edit_file("../a", "a", "b", root=tmp_path / "in").code == "outside_root"
    assert (tmp_path / "a").read_text() == "a\na\n"
    for settings in [{"root": tmp_path / "none"}, {"encoding": "no-such"}, {"count": -1}, {"timeout": -1.0}]:
        with pytest.raises(FuzzyEditError) as caught:
            fuzzy_edit.edit_file(tmp_path / "a", "a", "b", **settings)
        assert caught.value.code == "bad_input"


@pytest.mark.parametrize("name", ["path", "old", "root", "count", "expected_hash", "dry_run", "encoding", "line"])
def test_errors_name_the_argument(name):
    with pytest.raises(TypeError) as caught:
        fuzzy_edit.edit_file(**{"path": "a", "old": "a", "new": "b", name: [1]})
    assert str(caught.value).startswith(f"{name} is of type list, not ")


def test_names_that_are_no_text(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff"
    with open(path, "w") as file:
        file.write("one\n")
    assert fuzzy_edit.edit_file(os.fsdecode(path), "one", "two").ok
    with open(path) as file:
        assert file.read() == "two\n"


def test_an_empty_old_text_creates_a_file(tmp_path):
    assert fuzzy_edit.edit_file("new/a.txt", "", "text\n", root=tmp_path).ok
    assert (tmp_path / "new" / "a.txt").read_text() == "text\n"


def notebook(*cells):
    """Returns a notebook of cells, each a kind, an id and a source."""
    made = [{"cell_type": kind, "id": id, "metadata": {}, "source": [source]} for kind, id, source in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


A, B = ("raw", "a", "one"), ("raw", "b", "two")


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"old": "two", "new": "2"}, notebook(A, ("raw", "b", "2"))),
        ({"cell": "b", "old": "two", "new": "2"}, notebook(A, ("raw", "b", "2"))),
        ({"cell": 2, "first": "two", "last": "two", "new": "2"}, notebook(A, ("raw", "b", "2"))),
        ({"cell": 1, "new": "x"}, notebook(("raw", "a", "x"), B)),
        ({"cell": "1", "old": "", "new": "x"}, notebook(("raw", "a", "x"), B)),
        ({"cell": 1, "delete_cell": True}, notebook(B)),
        ({"cell": "a", "move_after": "b"}, notebook(B, A)),
        ({"cell": 2, "move_before": "1"}, notebook(B, A)),
    ],
)
def test_cells_of_a_notebook(tmp_path, edit, expected):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(A, B))
    result = fuzzy_edit.edit_file("a.ipynb", root=tmp_path, **edit)
    assert result.ok, result.message
    assert path.read_text() == expected


def test_a_new_cell_of_a_notebook(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(A, B))
    edit = {"insert_cell": "before", "cell": "b", "cell_type": "markdown"}
    assert fuzzy_edit.edit_file("a.ipynb", new="# x", root=tmp_path, **edit).ok
    assert fuzzy_edit.edit_file("a.ipynb", new="end", insert_cell="after", cell_type="raw", root=tmp_path).ok
    cells = json.loads(path.read_text())["cells"]
    expected = [("raw", ["one"]), ("markdown", ["# x"]), ("raw", ["two"]), ("raw", ["end"])]
    assert [(cell["cell_type"], cell["source"]) for cell in cells] == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"delete_cell": True},
        {"cell": 0, "new": "x"},
        {"cell": 1},
        {"cell": 1, "delete_cell": True, "new": "x"},
        {"cell": 1, "cell_type": "raw", "new": "x"},
        {"cell": 1, "insert_cell": "below", "new": "x"},
        {"cell": 1, "insert_cell": "after", "old": "one", "new": "x"},
    ],
)
def test_a_contradiction_about_a_cell_changes_nothing(tmp_path, wrong):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(A, B))
    with pytest.raises(FuzzyEditError) as raised:
        fuzzy_edit.edit_file("a.ipynb", root=tmp_path, **wrong)
    assert raised.value.code == "bad_input" and raised.value.next_step
    for cell in (True, 1.5):
        with pytest.raises(TypeError, match="cell is of type"):
            fuzzy_edit.edit_file("a.ipynb", new="x", cell=cell, root=tmp_path)
    assert path.read_text() == notebook(A, B)
