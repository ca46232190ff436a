"""Results as values: truth, dictionaries, JSON, copies."""

import copy
import json
import os
import pickle
import subprocess
import sys
import weakref

import fuzzy_edit
import pytest

from cases import adaptive

CONFLICT = ('host = "a"\nport = 9000\n', 'host = "a"\nport = 8080', 'host = "a"\nport = 8081')
PATCH = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"

#: Results of every class with nested values, landed and refused.
ANSWERS = [
    fuzzy_edit.apply("a  b\n", "a b", "c"),
    fuzzy_edit.apply(*CONFLICT),
    fuzzy_edit.apply("ü\nü\n", "ü", "b"),
    fuzzy_edit.locate("a  b\n", "a b"),
    fuzzy_edit.locate("a\na\n", "a"),
    fuzzy_edit.explain("def f():\n\treturn 1\n", "    return 1", "    return 2"),
    fuzzy_edit.apply_patch({"a": "one\ntwo\n"}, PATCH),
    fuzzy_edit.apply_patch({"a": "three\nfour\n"}, PATCH),
]


def test_an_answer_is_true_if_it_is_ok():
    made_before = ("def f(a):\n\treturn sum(a)\n", "    return sum( a )", "    return sum(a)")
    for text, old, new, ok in [("a\n", "a", "b", True), ("a\n", "b", "c", False), (*made_before, True)]:
        assert bool(fuzzy_edit.locate(text, old, new)) == fuzzy_edit.locate(text, old, new).ok == ok
        result = fuzzy_edit.apply(text, old, new)
        assert bool(result) == result.ok == ok
        patched = fuzzy_edit.apply_patch({"a": text}, f"a\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
        assert bool(patched) == bool(patched.edits[0]) == ok
    # A value without `ok` is always true.
    assert fuzzy_edit.apply("a", "a", "b").splices[0]


def test_a_dictionary_has_every_field():
    for answer in ANSWERS:
        fields = answer.to_dict()
        assert list(fields) == list(answer.__match_args__)
        json.dumps(fields)
    result = ANSWERS[0].to_dict()
    assert result["splices"] == (ANSWERS[0].splices[0].to_dict(),) and result["splices"][0]["text"] == "c"
    assert ANSWERS[1].to_dict()["conflicts"][0]["file"] == "9000"
    assert ANSWERS[6].to_dict()["edits"][0]["status"] == "applied"


def test_fields_can_be_replaced():
    result = ANSWERS[0]
    changed = result.__replace__(output="d", message=None)
    assert (changed.output, changed.message, changed.splices) == ("d", None, result.splices)
    assert changed != result and result.output == "c\n" and result.__replace__() == result
    if sys.version_info >= (3, 13):
        assert copy.replace(result, output="d", message=None) == changed
    with pytest.raises(TypeError, match="outputs"):
        result.__replace__(outputs="d")


def test_answers_can_be_copied_and_referred_to():
    for answer in ANSWERS:
        for again in [copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))]:
            assert again == answer
        assert weakref.ref(answer)() is answer
    assert weakref.ref(stream := fuzzy_edit.apply_batch(fuzzy_edit_table()))() is stream


def fuzzy_edit_table():
    import pyarrow

    return pyarrow.table({"content": ["a"], "old": ["a"], "new": ["b"]})


def test_the_places_of_an_ambiguous_text_are_told():
    text = "\n".join(["a"] * 200)
    for answer in [fuzzy_edit.apply(text, "a", "b"), fuzzy_edit.locate(text, "a", "b")]:
        assert answer.ambiguous_at == tuple((line, line) for line in range(1, 101)) and answer.count == 200
    assert fuzzy_edit.apply("b", "a", "c").tried == ("exact", "alignment")
    landed = ANSWERS[0]
    assert (landed.ambiguous_at, landed.count, landed.tried, landed.lost) == ((), 0, (), None)


def test_a_line_that_holds_the_place_of_others_is_a_refusal():
    text = "def f():\n    one()\n    two()\n    three()\n    four()\n"
    result = fuzzy_edit.apply(text, text, "def f():\n    # ... existing code ...\n    four(4)\n")
    assert (result.ok, result.code) == (False, "placeholder") and "one()" in result.lost
    assert fuzzy_edit.locate(text, text, "def f():\n    # ... existing code ...\n    four(4)\n").code == "placeholder"


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Returns a function that runs the command in a separate folder and returns its output."""
    path = os.environ.get("FUZZY_EDIT")
    if path is None:
        pytest.skip("FUZZY_EDIT names no command: cargo xtask test python")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments, text=None):
        ran = subprocess.run([path, *arguments], input=text, capture_output=True, encoding="utf-8")
        assert ran.stdout, ran.stderr
        return ran.stdout

    return run


def without(told, *names):
    """Removes the fields with these names from JSON, at every level."""
    if isinstance(told, list):
        return [without(item, *names) for item in told]
    if isinstance(told, dict):
        return {key: without(value, *names) for key, value in told.items() if key not in names}
    return told


def test_the_json_of_a_result_is_that_of_batch(command):
    cases = list(adaptive())
    rows = [
        {"id": id, "content": text, "old": case["needle"], "new": case["new"], "replace_all": case.get("replace_all")}
        for id, (case, text, _) in enumerate(cases)
    ]
    printed = command("batch", text="".join(json.dumps(row) + "\n" for row in rows)).splitlines()
    assert len(printed) == len(cases) > 100
    for row, line in zip(rows, printed):
        result = fuzzy_edit.apply(row["content"], row["old"], row["new"], replace_all=bool(row["replace_all"]), timeout=None)
        assert json.loads(line) == {"id": row["id"], **json.loads(result.to_json())}
    # Byte for byte, in a case without small numbers.
    assert printed[0] == f'{{"id":0,{fuzzy_edit.apply(rows[0]["content"], rows[0]["old"], rows[0]["new"]).to_json()[1:]}'


#: Texts with edits that land, were applied earlier, or are refused for each reason.
EDITS = [
    ("def f():\n\treturn  1\n", "    return 1", "    return 2"),
    ("def f(a):\n\treturn sum(a)\n", "    return sum( a )", "    return sum(a)"),
    ("a = 1\nb\na = 1\n", "a = 1", "a = 2"),
    CONFLICT,
    ("one two three\n", "one two four five", "x"),
    ("nothing alike\n", "zzzzzz(qqqqqq)", "x"),
    ("ä = 'ß'\n", "ä = 'ß'", "a"),
    ("f()\n", "f()", "f()"),
]


@pytest.mark.parametrize("text, old, new", EDITS, ids=range(len(EDITS)))
def test_the_json_of_other_answers_is_that_of_the_command(command, tmp_path, text, old, new):
    path = tmp_path / "a.py"
    path.write_bytes(text.encode())
    asked = ["a.py", "--old", old, "--new", new, "--json"]
    of_file = ["file_path", "encoding", "encoding_detected"]
    located = json.loads(command("locate", *asked))
    assert without(json.loads(fuzzy_edit.locate(text, old, new).to_json()), "file_path") == without(located, *of_file)
    explained = json.loads(command("explain", *asked))
    if explained["status"] == "explained":
        assert json.loads(fuzzy_edit.explain(text, old, new).to_json()) == {
            key: value for key, value in explained.items() if key not in of_file
        }
    result = fuzzy_edit.edit_file("a.py", old, new, dry_run=True)
    assert json.loads(result.to_json()) == json.loads(command("apply", *asked, "--dry-run"))
    patch = f"a.py\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
    printed = without(json.loads(command("patch", "--json", text=patch)), *of_file[1:], "file_hash")
    patched = json.loads(fuzzy_edit.apply_patch({"a.py": text}, patch).to_json())
    assert without(patched, *of_file[1:], "file_hash") == printed
