"""Shared by the scripts of this folder: places, processes, Python environments and tables."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")


def line(command):
    return " ".join(str(word) for word in command)


def run(*command, **options):
    """Prints and runs a command; ends the script if it fails. Returns nothing."""
    print("$", line(command)[:200], flush=True)
    read(*command, **{"stdout": None, **options})


def read(*command, **options):
    """Runs a command and returns its output; ends the script if it fails."""
    try:
        done = subprocess.run(
            command, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "text": True, **options}
        )
    except OSError as error:
        sys.exit(f"error: cannot start `{command[0]}`: {error}")
    if done.returncode:
        sys.exit(f"error: `{line(command)[:200]}` ended with {done.returncode}")
    return done.stdout


def require(condition, message):
    """Ends the script with a message unless the condition holds."""
    if not condition:
        sys.exit(f"error: {message}")


def metadata(*options):
    return json.loads(read(CARGO, "metadata", "--locked", "--format-version", "1", *options, cwd=ROOT))


WORKSPACE = metadata("--no-deps")
TARGET = pathlib.Path(WORKSPACE["target_directory"])
VERSION = next(package["version"] for package in WORKSPACE["packages"] if package["name"] == "fuzzy-edit-cli")


def environment(requirements):
    """Makes a Python environment with the requirements in a file of this repository, and returns its programs."""
    listed = ROOT / requirements
    # The name that `cargo xtask` uses: both share the environment.
    folder = TARGET / "python" / requirements.replace("/", "-")
    installed = folder / "installed"
    if not installed.is_file() or installed.read_text() != listed.read_text():
        run("python3", "-m", "venv", "--clear", folder)
        # The file lists every version, also those of indirect dependencies.
        run(folder / "bin/pip", "install", "--quiet", "--no-deps", "--requirement", listed)
        installed.write_text(listed.read_text())
    return folder / "bin"


def build(profile, features):
    """Builds the command in a profile with these features, and returns its path."""
    run(
        CARGO, "build", "--quiet", "--package", "fuzzy-edit-cli", "--features", features, "--profile", profile, cwd=ROOT
    )
    return TARGET / ("debug" if profile == "dev" else profile) / "fuzzy-edit"


def number(value):
    """Formats a number with three significant digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(header, rows):
    """Formats rows of cells as a Markdown table. Numbers, and columns that have only numbers, are aligned right."""
    rows = [[cell if isinstance(cell, str) else number(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    right = [all(cell[:1].isdigit() or cell[:1] in ("–", "") for cell in column) for column in zip(*rows)]
    right = right or [False] * len(header)

    def text(cells):
        fit = (
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in zip(cells, widths, right)
        )
        return f"| {' | '.join(fit)} |"

    rule = "|".join("-" * (width + 1) + (":" if is_right else "-") for width, is_right in zip(widths, right))
    return "\n".join([text(header), f"|{rule}|", *map(text, rows)]) + "\n"
