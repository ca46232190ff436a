"""The files of a directory, for the tools of an agent."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any, Literal, Optional, TypedDict, Union

from . import EditsResult, FuzzyEditError, UndoResult
from .__main__ import _program
from ._native import WorkspaceFiles


class NewPlace(TypedDict, total=False):
    """The new place of lines that are moved or copied: beside a line, in the same file or in another one."""

    path: str
    after: str
    before: str


class Edit(TypedDict, total=False):
    """One edit of a file. Exactly one of ``old``, ``first``, ``after``, ``before`` and a cell says where.

    The keys are the parameters of ``edit_file``; ``move_to`` and ``copy_to`` are the new place of the lines. The names of other
    edit tools, such as ``file_path`` and ``old_string``, are understood, too.
    """

    path: str
    old: str
    new: str
    replace_all: bool
    line: int
    count: int
    expected_hash: str
    first: str
    last: str
    expected_lines: int
    after: str
    before: str
    lines: Sequence[int]
    move_to: NewPlace
    copy_to: NewPlace
    cell: Union[str, int]
    insert_cell: Literal["before", "after"]
    cell_type: Literal["code", "markdown", "raw"]
    delete_cell: bool


class Workspace:
    """The files beneath a directory, with the methods that the tools of an agent need.

    >>> import fuzzy_edit, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as root:
    ...     path = pathlib.Path(root, "a.py")
    ...     _ = path.write_text("def f():\\n\\treturn  1\\n")
    ...     files = fuzzy_edit.Workspace(root)
    ...     result = files.edit({"path": "a.py", "old": "    return 1", "new": "    return 2"})
    ...     after = files.read("a.py")
    ...     undone = files.undo()
    >>> (result.status, after, undone.status)
    ('applied', 'def f():\\n\\treturn  2\\n', 'undone')

    Relative paths are relative to the directory, and no path leads out of it. Several edits succeed or fail together. A text
    that was read decides where a later edit belongs, if the file was changed since. All methods may be called by several
    threads: edits of one file wait for each other.

    :param root: the directory.
    :param encoding: the encoding of files, as for ``edit_file``.
    :param ladder: the ladder, one of ``LADDERS``.
    :param min_confidence: the least confidence of an edit, 0 to 1.
    :param timeout: the longest time of a search in seconds; None for no limit.
    :param max_bytes: the longest text, in bytes.
    :raises FuzzyEditError: ``bad_input`` if a setting is invalid or the root is not a directory.
    """

    def __init__(
        self,
        root: Union[str, "os.PathLike[str]"],
        *,
        encoding: Optional[str] = None,
        ladder: str = "adaptive",
        min_confidence: Optional[float] = None,
        timeout: Optional[float] = 2.0,
        max_bytes: int = 33_554_432,
    ) -> None:
        self.root: str = os.fspath(root)
        self._files: Any = WorkspaceFiles(
            self.root,
            encoding=encoding,
            ladder=ladder,
            min_confidence=min_confidence,
            timeout=timeout,
            max_bytes=max_bytes,
        )

    def read(self, path: Union[str, "os.PathLike[str]"]) -> str:
        """Returns the text of a file.

        :raises FuzzyEditError: the reason if it cannot be read, such as ``missing``, ``outside_root`` or ``binary``.
        """
        return self._files.read(path)

    def edit(self, edit: Edit, *, dry_run: bool = False) -> EditsResult:
        """Edits a file.

        :param dry_run: whether to report the change without writing it.
        :raises FuzzyEditError: ``bad_input`` if the edit has an unknown key, or does not say where in exactly one way.
        """
        return self._files.edits(json.dumps(edit), dry_run)

    def multi_edit(self, edits: Sequence[Edit], *, dry_run: bool = False) -> EditsResult:
        """Edits one file or many, all or none; a later edit of a file sees the results of earlier ones."""
        return self._files.edits(json.dumps({"edits": list(edits)}), dry_run)

    def patch(
        self,
        patch: str,
        *,
        file: Optional[str] = None,
        reverse: bool = False,
        strip: Optional[int] = None,
        dry_run: bool = False,
    ) -> EditsResult:
        """Applies a patch, all of it or nothing; the parameters are those of ``apply_patch``.

        :raises FuzzyEditError: ``parse`` if the patch cannot be read.
        """
        return self._files.patch(patch, file, reverse, strip, dry_run)

    def undo(self, batch: Optional[str] = None, *, dry_run: bool = False) -> UndoResult:
        """Undoes the newest batch of edits in the directory, or the one with this id; later changes stay."""
        return self._files.undo(batch, dry_run)

    def turns(self) -> list[dict[str, Any]]:
        """Returns the turns of agents in the directory, the newest first, as ``fuzzy-edit turns --json`` lists them.

        :raises FuzzyEditError: ``missing`` if the package has no command.
        """
        turns: list[dict[str, Any]] = self._command("turns")["turns"]
        return turns

    def revert(self, *numbers: int) -> dict[str, Any]:
        """Takes turns of agents back, by their numbers, and keeps later turns and your own changes.

        :returns: the answer of ``fuzzy-edit turns revert --json``.
        :raises FuzzyEditError: the reason for a refusal, such as ``conflict``; then nothing is written.
        """
        return self._command("turns", "revert", *map(str, numbers), "--yes")

    def _command(self, *arguments: str) -> dict[str, Any]:
        program = _program() or shutil.which("fuzzy-edit")
        if program is None:
            raise _error("missing", "this build of the package has no command", "Install a released wheel, or the command.")
        run = subprocess.run([program, *arguments, "--json"], cwd=self.root, capture_output=True, text=True, check=False)
        try:
            answer: dict[str, Any] = json.loads(run.stdout)
        except ValueError:
            raise _error("internal", run.stderr.strip() or "the command printed nothing", "Run the command in a shell.") from None
        if run.returncode:
            raise _error(answer["code"], answer["message"], answer["next_step"])
        return answer


def _error(code: str, message: str, next_step: str) -> FuzzyEditError:
    error = FuzzyEditError(f"{code}: {message}. {next_step}")
    error.code, error.message, error.next_step = code, message, next_step
    return error


for _public in (Edit, NewPlace, Workspace):
    _public.__module__ = "fuzzy_edit"
