"""The logged lines of decisions, and no cost for programs without logging."""

import logging
import subprocess
import sys

import fuzzy_edit


def test_every_decision_is_logged(caplog, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    caplog.set_level(logging.DEBUG, logger="fuzzy_edit")
    fuzzy_edit.apply("secret = 1\n", "secret = 1", "secret = 2")
    fuzzy_edit.apply("secret\nsecret\n", "secret", "b")
    fuzzy_edit.locate("secret", "nothing of it")
    fuzzy_edit.edit_file(tmp_path / "none.py", "a", "b")
    fuzzy_edit.apply_patch({"a": "one\n"}, "a\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n")
    assert [record.getMessage() for record in caplog.records] == [
        "apply ok=True strategy=exact confidence=1.0",
        "apply ok=False code=ambiguous rule=several-places",
        "locate ok=False code=not_found rule=not-found",
        f"edit_file path={tmp_path / 'none.py'} status=failed code=missing",
        "apply_patch path=a status=applied strategy=exact confidence=1.0",
    ]
    assert {(record.name, record.levelno) for record in caplog.records} == {("fuzzy_edit", logging.DEBUG)}
    assert "secret" not in caplog.text.replace(str(tmp_path), "")


def test_nothing_is_logged_unless_asked_for(caplog):
    caplog.set_level(logging.INFO, logger="fuzzy_edit")
    fuzzy_edit.apply("a", "a", "b")
    assert not caplog.records


def test_a_program_that_does_not_log_does_not_load_the_module():
    script = "import sys, fuzzy_edit; fuzzy_edit.apply('a', 'a', 'b'); print('logging' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
    later = "import fuzzy_edit; fuzzy_edit.apply('a', 'a', 'b'); import logging; logging.basicConfig(level=10)"
    later += "; fuzzy_edit.apply('a', 'a', 'b')"
    ran = subprocess.run([sys.executable, "-c", later], capture_output=True, text=True, check=True)
    assert ran.stderr == "DEBUG:fuzzy_edit:apply ok=True strategy=exact confidence=1.0\n"
