"""The edit tool of an agent: reads a call from each line of its input, and prints the answer for the model."""

import json
import sys

from fuzzy_edit import FuzzyEditError, Workspace


def answer(files: Workspace, tool: str, arguments: dict) -> str:
    """Carries out a call, and returns the text for the model."""
    try:
        if tool == "read":
            return files.read(arguments["path"])
        if tool == "undo":
            return files.undo().for_model
        if tool == "patch":
            return files.patch(arguments["patch"]).for_model
        if tool == "multi_edit":
            return files.multi_edit(arguments["edits"]).for_model
        return files.edit(arguments).for_model
    except FuzzyEditError as error:
        return str(error)


def main() -> None:
    files = Workspace(sys.argv[1])
    for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps({"text": answer(files, call["tool"], call["arguments"])}))


if __name__ == "__main__":
    main()
