"""Every case of the Rust tests has the same result from Python, one by one and in a table."""

import fuzzy_edit
import pyarrow

from cases import CODES, adaptive


def test_the_cases_of_the_ladder_adaptive():
    cases = list(adaptive())
    assert len(cases) > 100
    for case, text, expected in cases:
        replace_all = case.get("replace_all", False)
        result = fuzzy_edit.apply(text, case["needle"], case["new"], replace_all=replace_all, timeout=None)
        if expected is not None:
            assert (result.ok, result.code) == (True, None), (case, result)
            assert result.output == expected, case
        else:
            code = CODES.get(case["refused"], case["refused"])
            assert result.code == code, (case, result)
            assert result.ok == (code == "already_applied")


def test_what_splices_say_makes_the_output():
    for case, text, expected in adaptive():
        result = fuzzy_edit.apply(text, case["needle"], case["new"], replace_all=case.get("replace_all", False))
        if expected is None:
            continue
        made = text
        for splice in reversed(result.splices):
            assert text.encode()[slice(*splice.bytes)].decode() == text[splice.start : splice.end]
            made = made[: splice.start] + splice.text + made[splice.end :]
        assert made == result.output, case


def test_a_table_has_the_same_answers():
    cases = [case for case in adaptive()]
    table = pyarrow.table(
        {
            "id": [case["name"] for case, _, _ in cases],
            "content": [text for _, text, _ in cases],
            "old": [case["needle"] for case, _, _ in cases],
            "new": [case["new"] for case, _, _ in cases],
            "replace_all": [case.get("replace_all") for case, _, _ in cases],
        }
    )
    answers = pyarrow.table(fuzzy_edit.apply_batch(table, timeout=None)).to_pylist()
    assert len(answers) == len(cases)
    for (case, text, _), answer in zip(cases, answers, strict=True):
        replace_all = case.get("replace_all", False)
        result = fuzzy_edit.apply(text, case["needle"], case["new"], replace_all=replace_all, timeout=None)
        assert answer["id"] == case["name"]
        for field in ["ok", "output", "code", "rule", "strategy", "similarity", "confidence"]:
            assert answer[field] == getattr(result, field), (case, field)
        proposal = answer["proposal"] and (answer["proposal"]["old_string"], answer["proposal"]["new_string"])
        assert proposal == (result.proposal and (result.proposal.old, result.proposal.new)), case
