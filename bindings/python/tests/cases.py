"""The test cases of the project, which the Rust tests run, too."""

import pathlib
import tomllib

DATA = pathlib.Path(__file__).parents[3] / "crates" / "facade" / "fuzzy-pipeline" / "testdata"

# The engine distinguishes refusals that share one public code.
CODES = {"too_different": "refused", "uncertain": "refused"}


def load(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def files():
    return {file["name"]: file for file in load(DATA / "adaptive" / "files.toml")["file"]}


def adaptive():
    """Yields every case of the ladder `adaptive` with its text and the expected text."""
    known = files()
    for path in sorted((DATA / "adaptive").glob("*.toml")):
        if path.name == "files.toml":
            continue
        for case in load(path)["case"]:
            file = known[case["file"]] if "file" in case else {"text": case["text"]}
            yield case, written(file, file["text"]), after(file, case.get("lands"))


def written(file, text):
    return text.replace("\n", file.get("endings", "\n"))


def after(file, changes):
    """Returns the whole file after changes; the old text of each occurs exactly once."""
    if changes is None:
        return None
    text = file["text"]
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return written(file, text)
