"""Counts lines, numeric constants and conditions in the folder src of crates, without tests: `heart.py [CRATE…]`.

Constants: numbers except 0, 1 and 2. Logic: `&&`, and `||` after an operand. Quantifiers: `any`, `all` and similar.
"""

import re
import sys

from common import ROOT, table

HEART = ["crates/engine/fuzzy-merge", "crates/engine/fuzzy-adaptive", "crates/engine/fuzzy-audit"]
HEART += ["crates/engine/fuzzy-locate"]
#: Comments, strings, raw strings and characters.
NO_CODE = r"""//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^']+|[^'\\])'"""
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*?^\}", re.S | re.M)
NUMBER = re.compile(r"(?<![\w.])(0x[\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)(?:_?[iuf](?:\d+|size))?\b")


def counts(crate):
    files = [path for path in (ROOT / crate / "src").rglob("*.rs") if not re.search(r"/tests?(\.rs|/)", str(path))]
    texts = [path.read_text() for path in files]
    code = "\n".join(TESTS.sub("", re.sub(NO_CODE, " ", text, flags=re.S)) for text in texts)
    lines = sum(bool(line.strip()) for line in code.splitlines())
    constants = sum(
        float(int(number, 0) if "x" in number else number.replace("_", "")) not in (0, 1, 2)
        for number in NUMBER.findall(code)
    )
    operands = re.findall(r"""(\w+|[)\]}?"'])\s*\|\|""", code)
    logic = code.count("&&") + sum(operand not in ("move", "return", "else") for operand in operands)
    quantifiers = len(re.findall(r"\.(?:any|all|is_some_and|is_none_or)\(", code))
    return [sum(text.count("\n") for text in texts), lines, constants, logic, quantifiers]


rows = [[crate, *counts(crate)] for crate in sys.argv[1:] or HEART]
rows.append(["all", *map(sum, list(zip(*rows))[1:])])
header = ["crate", "lines", "code", "constants", "logic", "quantifiers", "conditions per 1,000"]
cells = [[row[0], *map(str, row[1:]), 1000 * (row[4] + row[5]) / max(row[2], 1)] for row in rows]
print(table(header, cells), end="")
