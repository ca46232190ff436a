"""Runs the command of this package: ``python -m fuzzy_edit`` is ``fuzzy-edit``."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from typing import Optional


def _program() -> Optional[str]:
    """Return the path of the command: the installer of the package records the path of each file."""
    try:
        files = distribution("fuzzy-edit").files or ()
    except PackageNotFoundError:
        # The package was copied, not installed.
        files = ()
    for file in files:
        if file.stem == "fuzzy-edit" and file.suffix in ("", ".exe"):
            # `pip install --target` moves the programs afterwards and does not update the record.
            places = [os.fspath(file.locate()), os.path.join(os.path.dirname(__file__), "..", "bin", file.name)]
            return next((place for place in places if os.path.isfile(place)), None)
    return None


def _main() -> int:
    program = _program()
    if program is None:
        print("error: this build of the package has no command; the wheels that are released have", file=sys.stderr)
        return 2
    arguments = [program, *sys.argv[1:]]
    if os.name == "posix":
        # The command replaces the interpreter process, so that it gets signals and the standard streams directly.
        os.execv(program, arguments)
    return subprocess.run(arguments, check=False).returncode


if __name__ == "__main__":
    sys.exit(_main())
