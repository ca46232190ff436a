"""The package itself: exports, types, and the examples in its pages."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import fuzzy_edit

ROOT = pathlib.Path(__file__).parents[3]


def test_it_exports_what_it_has():
    for name in fuzzy_edit.__all__:
        value = getattr(fuzzy_edit, name)
        if inspect.isclass(value):
            assert (value.__module__, value.__name__) == ("fuzzy_edit", name)
            assert value.__doc__
    assert fuzzy_edit.LADDERS[0] == "conservative" and "adaptive" in fuzzy_edit.LADDERS
    assert re.fullmatch(r"\d+\.\d+\.\d+", fuzzy_edit.__version__)


def test_importing_it_imports_nothing_else():
    """Other imports would slow down the import of the package."""
    script = "import sys; before = set(sys.modules); import fuzzy_edit; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == ["fuzzy_edit", "fuzzy_edit._native"]


def test_the_stubs_are_those_of_the_module(tmp_path):
    # `spark` has its types in the source. It is excluded: this environment lacks its dependencies.
    allowed = tmp_path / "allowed"
    allowed.write_text(r"fuzzy_edit\.spark.*")
    command = [sys.executable, "-m", "mypy.stubtest", "fuzzy_edit", "--ignore-missing-stub", "--allowlist", str(allowed)]
    command += ["--mypy-config-file", str(ROOT / "bindings/python/pyproject.toml")]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_type_is_known():
    """`--ignoreexternal` skips types of the dependencies of `spark`, which this environment lacks."""
    command = [sys.executable, "-m", "pyright", "--ignoreexternal", "--verifytypes", "fuzzy_edit"]
    # pyright uses the first interpreter on the path.
    path = {**os.environ, "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    run = subprocess.run(command, capture_output=True, text=True, env=path)
    assert run.returncode == 0, run.stdout + run.stderr
    for missing in ["Functions without docstring: 0", "Functions without default param: 0"]:
        assert missing in run.stdout, run.stdout


def test_the_pages_say_what_is_so():
    blocks = {}
    for page in ["docs/guide.md", "bindings/python/README.md"]:
        blocks[page] = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
        for block in blocks[page]:
            exec(compile(block, page, "exec"), {})  # noqa: S102
    assert all(blocks.values()), {page: len(found) for page, found in blocks.items()}
