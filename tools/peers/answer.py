"""Answers edits with one other tool, through its own interface, in the environment that has it.

Usage: answer.py NAME < cases > answers. A case is a line of JSON {id, path, content, old, new, line, base}; the answer is
{id, output, us}: the text of the whole file, or null for a refusal, and the time in microseconds. The diff of a tool that
takes patches has the base (the file as the edit's writer read it) as its old side, if the case has one; else the quoted
lines, with their true line number.
"""

import difflib
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

#: Seconds of processor time for an edit; after that it counts as refused.
LONGEST = 20


def edited(case):
    """Returns the base before and after the edit, or the two quotes if there is no base, and the number of their line."""
    base = case.get("base")
    if base is None:
        return case["old"], case["new"], case["line"]
    return base, base.replace(case["old"], case["new"], 1), 1


def unified(case, name="file"):
    """Returns the edit as a unified diff with three lines of context."""
    before, after, first = edited(case)
    before, after = (text if text.endswith("\n") else text + "\n" for text in (before, after))
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), f"a/{name}", f"b/{name}")

    def moved(match):
        return f"@@ -{int(match[1]) + first - 1}{match[2]} +{int(match[3]) + first - 1}{match[4]} @@"

    return re.sub(r"^@@ -(\d+)(,?\d*) \+(\d+)(,?\d*) @@", moved, "".join(lines), flags=re.MULTILINE)


def block(case):
    """Returns the edit as a SEARCH/REPLACE block, which has whole lines."""
    old, new = case["old"], case["new"]
    if old.endswith("\n") and new.endswith("\n"):
        old, new = old[:-1], new[:-1]
    return f"{case['path']}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def mpatch():
    import mpatch

    def answer(case):
        try:
            return mpatch.patch_content(block(case), original=case["content"])
        except mpatch.MpatchError:
            return None

    return answer


def harnesskit():
    import hk

    def answer(case):
        path = pathlib.Path(folder.name, "file" + pathlib.Path(case["path"]).suffix)
        path.write_text(case["content"], newline="")
        done = hk.apply_edit(str(path), case["old"], case["new"])
        return path.read_bytes().decode() if done.status == "applied" else None

    folder = tempfile.TemporaryDirectory()
    return answer


def apply_edit_block():
    from apply_edit_block import Edit, apply_edit

    def answer(case):
        done = apply_edit(case["content"], Edit(case["old"], case["new"]))
        return done.text if done.ok else None

    return answer


def hermes_agent():
    from tools.fuzzy_match import fuzzy_find_and_replace

    def answer(case):
        text, places, _, problem = fuzzy_find_and_replace(case["content"], case["old"], case["new"])
        return None if problem or not places else text

    return answer


def diff_match_patch():
    from diff_match_patch import diff_match_patch as Matcher

    matcher = Matcher()

    def answer(case):
        before, after, first = edited(case)
        patches = matcher.patch_make(before, after)
        above = sum(map(len, case["content"].splitlines(True)[: first - 1]))
        for patch in patches:
            patch.start1, patch.start2 = patch.start1 + above, patch.start2 + above
        text, done = matcher.patch_apply(patches, case["content"])
        return text if all(done) else None

    return answer


def aider_chat():
    from aider.coders.editblock_coder import do_replace

    def answer(case):
        quotes = (text if text.endswith("\n") else text + "\n" for text in (case["old"], case["new"]))
        return do_replace(case["path"], case["content"], *quotes, ("```", "```")) or None

    return answer


def patched(command, prepare):
    """Answers by a program that patches a file of a folder."""
    folder = tempfile.TemporaryDirectory()
    path = pathlib.Path(folder.name, "file")
    prepare(folder.name)

    def answer(case):
        path.write_text(case["content"], newline="")
        diff = command(case, folder.name)
        return path.read_bytes().decode() if diff else None

    return answer


def git_apply():
    def git(*arguments, **options):
        settings = {"cwd": options.pop("cwd"), "capture_output": True, "text": True, **options}
        return subprocess.run(["git", *arguments], **settings)

    def apply(case, folder):
        diff = unified(case)
        if case.get("base") is not None:
            # The base is in the repository, so that a three-way merge finds it.
            hashed = git("hash-object", "-w", "--stdin", input=case["base"], cwd=folder).stdout.strip()
            diff = f"diff --git a/file b/file\nindex {hashed}..{'0' * 40} 100644\n{diff}"
        git("add", "file", cwd=folder)
        return git("apply", "--3way", "-", input=diff, cwd=folder).returncode == 0

    return patched(apply, lambda folder: git("init", "--quiet", cwd=folder))


def patch():
    def apply(case, folder):
        command = ["patch", "--batch", "--fuzz=3", "--no-backup-if-mismatch", "--reject-file=-", "file"]
        settings = {"input": unified(case), "capture_output": True, "text": True, "cwd": folder}
        return subprocess.run(command, **settings).returncode == 0

    return patched(apply, lambda folder: None)


def stop(*_):
    raise TimeoutError(f"more than {LONGEST} s of processor time")


def main():
    signal.signal(signal.SIGVTALRM, stop)
    answer = globals()[sys.argv[1].replace("-", "_")]()
    for line in sys.stdin:
        case = json.loads(line)
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
        try:
            output = answer(case)
        except Exception as error:  # A crash of a tool is a refusal, and is said.
            print(f"{case['id']}: {type(error).__name__}: {error}", file=sys.stderr)
            output = None
        spent = time.perf_counter() - start
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        print(json.dumps({"id": case["id"], "output": output, "us": spent * 1e6}))


if __name__ == "__main__":
    main()
