#!/usr/bin/env python3
"""Applies labelled edits twice, as edits and as diffs of one hunk without line numbers, and compares the results.

usage: as_patch.py BINARY CASES.jsonl[.gz] [FIRST]

same     the same bytes, or both are refused
edit     only the edit lands
patch    only the patch lands
differ   both land, with different bytes

Prints the ids of all cases but the first kind, and the counts. Only the first FIRST cases count.
"""

import collections
import difflib
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

NO_LIMIT = ["--timeout-ms", "60000"]


def diff(old, new):
    """Returns a diff of a file `f` that replaces the old text by the new one."""
    old, new = ([] if not text else text.removesuffix("\n").split("\n") for text in (old, new))
    lines = ["--- a/f", "+++ b/f", "@@ @@"]
    for _, a, b, c, d in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        is_kept = old[a:b] == new[c:d]
        lines += [f" {line}" for line in old[a:b]] if is_kept else [f"-{line}" for line in old[a:b]]
        lines += [] if is_kept else [f"+{line}" for line in new[c:d]]
    return "".join(f"{line}\n" for line in lines)


def result(binary, folder, content, verb, text):
    """Returns the file after a request."""
    (folder / "f").write_bytes(content.encode())
    env = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    subprocess.run([binary, *verb, *NO_LIMIT], input=text.encode(), cwd=folder, capture_output=True, env=env, check=False)
    return (folder / "f").read_bytes().decode()


def main():
    binary, path, *first = sys.argv[1:]
    counts = collections.Counter()
    read = gzip.open if path.endswith(".gz") else open
    with read(path, "rt", encoding="utf-8") as lines, tempfile.TemporaryDirectory() as folder:
        for case in map(json.loads, itertools.islice(lines, int(first[0]) if first else None)):
            content, old, new = case["content"], case["old"], case["new"]
            edit = json.dumps({"file_path": "f", "old_string": old, "new_string": new})
            edited = result(binary, Path(folder), content, ["apply", "--input", "-"], edit)
            patched = result(binary, Path(folder), content, ["patch"], diff(old, new))
            kinds = {content: "edit", edited: "same"}
            kind = kinds.get(patched, "patch" if edited == content else "differ")
            counts[kind] += 1
            if kind != "same":
                print(kind, case["id"])
    print(*(f"{kind} {count}" for kind, count in sorted(counts.items())), sep=", ")


main()
