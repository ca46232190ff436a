"""Compares the results of the installed package with recorded ones, byte for byte: parity.py CASES.jsonl.gz [LADDER…]

A case has the format of `cargo xtask parity`: {id, content, old, new, replace_all?} and, under the name of the ladder
with `_` for `-`, {ok: true, strategy, output} or {ok: false, error}.
"""

import gzip
import json
import sys

import fuzzy_edit


def family(strategy):
    return strategy.split("/")[0]


def differs(recorded, result):
    """Returns the kind of difference from the recorded result, or None."""
    if not recorded["ok"]:
        return None if result.code == recorded["error"] else "error"
    if result.code is not None or result.output != recorded["output"]:
        return "text"
    return None if family(result.strategy) == family(recorded["strategy"]) else "strategy"


def main(path, ladders):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    assert cases, "no case"
    failed = False
    for ladder in ladders:
        different = []
        for case in cases:
            result = fuzzy_edit.apply(
                case["content"],
                case["old"],
                case["new"],
                ladder=ladder,
                replace_all=bool(case.get("replace_all")),
                raw_endings=True,
                timeout=None,
            )
            why = differs(case[ladder.replace("-", "_")], result)
            if why:
                different.append((case["id"], why))
        print(f"{ladder}: {len(cases)} cases, {len(cases) - len(different)} equal, {len(different)} different")
        for id, why in different[:10]:
            print(f"  {id}: {why}")
        failed |= bool(different)
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or ["full", "full-guarded"])
