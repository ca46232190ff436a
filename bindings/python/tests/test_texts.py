"""Edits of texts: results and exceptions."""

import asyncio
import pickle
import threading

import fuzzy_edit
import pytest
from fuzzy_edit import FuzzyEditError

CART = "def total(cart):\n\treturn sum(cart)\n"


def raised(code, call, *arguments, **settings):
    with pytest.raises(FuzzyEditError) as caught:
        call(*arguments, **settings)
    error = caught.value
    assert error.code == code
    assert error.next_step and error.message in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.next_step, str(again)) == (code, error.next_step, str(error))


def test_an_edit_that_lands():
    result = fuzzy_edit.apply(CART, "    return sum(cart)", "    return round(sum(cart), 2)")
    assert result.ok and result.code is None
    assert result.output == "def total(cart):\n\treturn round(sum(cart), 2)\n"
    assert result.strategy == "alignment" and 0.9 < result.confidence <= 1
    (splice,) = result.splices
    assert CART[splice.start : splice.end] == "\treturn sum(cart)" and splice.lines == (2, 2)
    assert result.message == "the file indents with 1 tab, the old text with 4 spaces"


def test_a_refusal_says_what_to_do():
    result = fuzzy_edit.apply("a\nb\na\n", "a", "c")
    assert (result.ok, result.output, result.code) == (False, None, "ambiguous")
    assert result.splices == () and result.next_step
    result = fuzzy_edit.apply(CART, "    return max(cart, key=price)", "pass")
    assert result.nearest.lines == (2, 2) and "-" in result.nearest.diff


def test_a_conflict_tells_what_each_text_has_and_both_results():
    text, old, new = 'host = "a"\nport = 9000\n', 'host = "a"\nport = 8080', 'host = "a"\nport = 8081'
    result = fuzzy_edit.apply(text, old, new)
    assert (result.ok, result.code) == (False, "conflict")
    (conflict,) = result.conflicts
    assert (conflict.lines, conflict.file, conflict.old, conflict.new) == ((2, 2), "9000", "8080", "8081")
    assert (conflict.keeping, conflict.taking) == ("port = 9000", "port = 8081")
    assert pickle.loads(pickle.dumps(result)) == result
    assert fuzzy_edit.apply(text, result.proposal.old, result.proposal.new).output == text.replace("9000", "8081")
    assert fuzzy_edit.locate(text, old, new).conflicts == result.conflicts
    assert fuzzy_edit.apply("a\nb\na\n", "a", "c").conflicts == ()


def test_a_refusal_names_its_rule():
    edit = 'host = "a"\nport = 9000\n', 'host = "a"\nport = 8080', 'host = "a"\nport = 8081'
    result, explanation = fuzzy_edit.apply(*edit), fuzzy_edit.explain(*edit)
    assert [answer.rule for answer in (result, fuzzy_edit.locate(*edit), explanation.located)] == ["different-value"] * 3
    assert "\nrule: different-value\n" in explanation.text and ">rule: different-value<" in explanation.html
    assert pickle.loads(pickle.dumps(result)).rule == "different-value"
    assert fuzzy_edit.apply(*edit, ladder="conservative").rule is None
    assert fuzzy_edit.apply("a", "a", "b").rule is None


def test_an_edit_that_was_made_before():
    result = fuzzy_edit.apply(CART, "    return sum( cart )", "    return sum(cart)")
    assert (result.ok, result.code, result.output, result.splices) == (True, "already_applied", CART, ())
    assert fuzzy_edit.locate(CART, "    return sum( cart )", "    return sum(cart)").places[0].lines == (2, 2)


def test_a_line_chooses_between_places():
    text = "ä = 1\nrun()\nb = 2\nrun()\r\nrun() or run()\n"
    assert fuzzy_edit.apply(text, "run()", "stop()").code == "ambiguous"
    result = fuzzy_edit.apply(text, "run()", "stop()", line=4)
    assert result.output == "ä = 1\nrun()\nb = 2\nstop()\r\nrun() or run()\n"
    assert (result.splices[0].start, result.splices[0].bytes, result.splices[0].lines) == (18, (19, 24), (4, 4))
    # Two matches on the line; matches at the same distance above and below; a match that is certain.
    assert fuzzy_edit.apply(text, "run()", "stop()", line=5).code == "ambiguous"
    assert fuzzy_edit.apply(text, "run()", "stop()", line=3).code == "ambiguous"
    assert fuzzy_edit.apply(text, "b = 2", "b = 3", line=1).splices[0].lines == (3, 3)
    located = fuzzy_edit.locate(text, "run()", line=2)
    assert [place.lines for place in located.places] == [(2, 2)]
    # An old text that ends in a line break, and one of several lines.
    assert fuzzy_edit.apply("a\nb\nc\na\nb\n", "a\nb\n", "x\n", line=4).output == "a\nb\nc\nx\n"


def test_every_place():
    result = fuzzy_edit.apply("ä a ä a", "ä", "öö", replace_all=True)
    assert result.output == "öö a öö a"
    assert [(splice.start, splice.end, splice.bytes) for splice in result.splices] == [(0, 1, (0, 2)), (4, 5, (5, 7))]


def test_locate():
    located = fuzzy_edit.locate("ä\nb\nb\n", "ä")
    assert located.ok and located.places[0].bytes == (0, 2) and located.places[0].end == 1
    located = fuzzy_edit.locate("ä\nb\nb\n", "b")
    assert (located.ok, located.code, [place.lines for place in located.places]) == (
        False,
        "ambiguous",
        [(2, 2), (3, 3)],
    )


def test_endings_are_fitted_unless_raw():
    assert fuzzy_edit.apply("a\r\nb\r\n", "a\nb", "c\nd", ladder="full").output == "c\r\nd\r\n"
    assert fuzzy_edit.apply("a\r\nb\r\n", "b", "c\nd", ladder="full", raw_endings=True).output == "a\r\nc\nd\r\n"


def test_least_confidence():
    sure = fuzzy_edit.apply(CART, "    return sum(cart)", "    return 0").confidence
    refused = fuzzy_edit.apply(CART, "    return sum(cart)", "    return 0", min_confidence=1.0)
    assert sure < 1 and refused.code == "refused" and "confidence" in refused.message


def test_bad_requests_are_raised():
    for call in [fuzzy_edit.apply, fuzzy_edit.locate, fuzzy_edit.explain]:
        for texts in [("\ud800", "a", "b"), ("a", "\udfff", "b"), ("a", "a", "x\udc80")]:
            raised("bad_input", call, *texts)
        raised("bad_input", call, "a", "a", "b", ladder="fastest")
        raised("bad_input", call, "a", "a", "b", min_confidence=float("nan"))
        raised("bad_input", call, "a", "a", "b", min_confidence=1.5)
        raised("bad_input", call, "a", "a", "b", timeout=-1.0)
        for line in [0, -1, 1 << 80]:
            raised("bad_input", call, "a", "a", "b", line=line)
        raised("too_large", call, "a" * 11, "a", "b", max_bytes=10)
        raised("too_large", call, "a" * (33 << 20), "a", "b")
        raised("bad_input", call, "a", "a", "b", timeout=float("nan"))
        for size in [-1, 1 << 64]:
            raised("bad_input", call, "a", "a", "b", max_bytes=size)
    raised("too_large", fuzzy_edit.apply, "aaa", "a", "b" * 9, replace_all=True, max_bytes=10)
    assert issubclass(FuzzyEditError, ValueError)


@pytest.mark.parametrize("call", [fuzzy_edit.apply, fuzzy_edit.locate, fuzzy_edit.explain])
def test_errors_name_the_argument(call):
    good = {"text": "a", "old": "a", "new": "b"}
    for name in good:
        with pytest.raises(TypeError, match=f"{name} is of type bytes, not str; decode it first"):
            call(**{**good, name: b"a"})
        with pytest.raises(TypeError, match=f"{name} is of type int, not str$"):
            call(**{**good, name: 1})
        with pytest.raises(FuzzyEditError, match=f"{name} has a lone surrogate"):
            call(**{**good, name: "\ud800"})
    for name, value, message in [
        ("line", 0, "line is 0"),
        ("timeout", -1.0, "timeout is -1"),
        ("max_bytes", 1 << 70, f"max_bytes is {1 << 70}"),
        ("min_confidence", 2.0, "min_confidence is 2"),
    ]:
        with pytest.raises(FuzzyEditError, match=message) as caught:
            call(**good, **{name: value})
        assert caught.value.next_step
    for name in ["line", "timeout", "max_bytes", "min_confidence", "ladder", "replace_all", "raw_endings"]:
        with pytest.raises(TypeError) as caught:
            call(**good, **{name: [1]})
        # The message itself names the argument: not every Python version has exception notes.
        assert str(caught.value).startswith(f"{name} is of type list, not ")
    with pytest.raises(TypeError, match="ladder is of type bytes, not str; decode it first"):
        call(**good, ladder=b"full")


def test_time_that_is_up_is_raised():
    text = "".join(f"value_{n} = measure({n % 7})\n" for n in range(20_000))
    raised("timeout", fuzzy_edit.apply, text, "value = mesure(3)\nother = mesure(4)", "x", timeout=0.0)


def test_a_panic_is_raised(monkeypatch):
    if not has_failpoints():
        pytest.skip("built without failpoints")
    assert fuzzy_edit.apply("text", "please panic", "x", ladder="registered").code == "not_found"
    monkeypatch.setenv("FUZZY_EDIT_PANICS", "1")
    raised("internal", fuzzy_edit.apply, "text", "please panic", "x", ladder="registered")
    raised("internal", fuzzy_edit.explain, "text", "please panic", "x", ladder="registered")


def has_failpoints():
    return any(tried.strategy == "panics" for tried in fuzzy_edit.explain("a", "a", "b", ladder="registered").strategies)


def test_explain():
    explanation = fuzzy_edit.explain(CART, "    return sum(cart)", "    return <b>'&")
    assert explanation.ladder == "adaptive" and explanation.located.ok
    assert [tried.strategy for tried in explanation.strategies] == ["exact", "alignment"]
    assert explanation.strategies[1].candidates[0].place == explanation.located.places[0]
    assert explanation.alignment.rows[0].file == (fuzzy_edit.NumberedLine(2, "\treturn sum(cart)"),)
    assert explanation.alignment.lands[0].origin == "new"
    assert any(feature.name == "explained" for feature in explanation.weighed.features)
    assert str(explanation).startswith("ladder adaptive") and "found: line 2" in str(explanation)
    html = explanation._repr_html_()
    assert "return &lt;b&gt;&#39;&amp;" in html and "<b>" not in html
    assert fuzzy_edit.explain(CART, "nothing of it", ladder="full").alignment is None


def test_values_are_values():
    result = fuzzy_edit.apply("ä\n", "ä", "b")
    same = fuzzy_edit.apply("ä\n", "ä", "b")
    assert result == same and hash(result) == hash(same) and result != fuzzy_edit.apply("ä\n", "ä", "c")
    assert result != 1
    for value in [
        result,
        fuzzy_edit.apply("a a", "a", "b"),
        fuzzy_edit.locate("a", "a"),
        fuzzy_edit.explain(CART, "    return sum(cart)", "    return 0"),
        fuzzy_edit.apply_patch({"a": "1\n"}, "a\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n"),
    ]:
        assert pickle.loads(pickle.dumps(value)) == value
        assert pickle.loads(pickle.dumps(value)).__reduce__()[1] == value.__reduce__()[1]
    with pytest.raises(AttributeError):
        result.ok = False
    match result.splices[0]:
        case fuzzy_edit.Splice(start, end):
            assert (start, end) == (0, 1)
    long = fuzzy_edit.apply("x" * 1000, "x" * 999 + "x", "y" * 1000)
    assert len(repr(long)) < 500 and "Result(ok=True, output='yyy" in repr(long)


def test_threads_edit_at_once():
    results = []

    def work():
        for n in range(50):
            results.append(fuzzy_edit.apply(f"a = {n}\nb = 1\n", f"a  = {n}", f"a = {n + 1}").output == f"a = {n + 1}\nb = 1\n")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 200


def test_coroutines_edit_at_once():
    """Runs the recipe of the docs: an edit in a thread does not block the event loop."""
    text = "".join(f"value_{n} = measure({n % 7})\n" for n in range(3_000))

    async def both():
        ticks = 0
        edit = asyncio.create_task(asyncio.to_thread(fuzzy_edit.apply, text, "value_7 = mesure(0)", "x = 1", line=8))
        while not edit.done():
            ticks += 1
            await asyncio.sleep(0)
        return await edit, ticks

    result, ticks = asyncio.run(both())
    assert result == fuzzy_edit.apply(text, "value_7 = mesure(0)", "x = 1", line=8) and ticks > 1


def test_lines_are_named_by_their_ends():
    text = "def f():\n    a()\n    b()\n    return 1\n\nf()\n"
    result = fuzzy_edit.apply(text, first="def f():", last="    return 1", new="f = g")
    assert (result.ok, result.output) == (True, "f = g\n\nf()\n")
    assert fuzzy_edit.apply(text, after="    a()", new="    c()\n").output == text.replace("    b()", "    c()\n    b()")
    assert fuzzy_edit.apply(text, before="def f():", new="import g\n\n").output == "import g\n\n" + text
    moved = fuzzy_edit.apply("\n\n" + text, first="def f():", lines=(1, 4), new="")
    assert moved.output == "\n\n\nf()\n"
    assert fuzzy_edit.locate(text, first="def f():", last="    return 1").ok
    assert "closes" in str(fuzzy_edit.explain("a {\n  b\n}\na2 {\n}\n", first="a {", last="}"))

    twice = "a\nend\nb\nend\n"
    refused = fuzzy_edit.apply(twice, first="a", last="end", new="x")
    assert (refused.ok, refused.code) == (False, "ambiguous")
    assert "expected_lines 4" in refused.message
    assert fuzzy_edit.apply(twice, first="a", last="end", expected_lines=4, new="x").output == "x\n"


@pytest.mark.parametrize(
    "place",
    [
        {},
        {"first": "a"},
        {"last": "a"},
        {"old": "a", "after": "a"},
        {"after": "a", "before": "b"},
        {"after": "a", "expected_lines": 2},
        {"after": "a", "replace_all": True},
        {"first": "a", "lines": (3, 1)},
        {"lines": (1, 2)},
    ],
    ids=str,
)
def test_an_edit_says_where_in_one_way(place):
    with pytest.raises(FuzzyEditError) as raised:
        fuzzy_edit.apply("a\nb\n", new="x", **place)
    assert raised.value.code == "bad_input" and raised.value.next_step


def test_lines_are_moved_and_copied(tmp_path):
    text = "a = 1\n\ndef f():\n    b = 2\n    c = 3\n"
    moved = fuzzy_edit.apply(text, first="    b = 2", last="    b = 2", move_after="a = 1")
    assert moved.output == "a = 1\nb = 2\n\ndef f():\n    c = 3\n" and len(moved.splices) == 2
    copied = fuzzy_edit.apply(text, "a = 1", move_before="    c = 3", copy=True)
    assert copied.output == text.replace("    c", "    a = 1\n    c")
    again = fuzzy_edit.apply("a\nb\n", "b", move_after="a")
    assert again.ok and again.code == "already_applied"
    refused = fuzzy_edit.apply(text, first="def f():", last="    c = 3", move_after="    b = 2")
    assert refused.code == "refused" and "inside" in refused.message
    for wrong in ({"copy": True}, {"move_after": "a", "new": "x"}, {"move_after": "a", "move_before": "b"}):
        with pytest.raises(FuzzyEditError) as raised:
            fuzzy_edit.apply(text, "a = 1", **wrong)
        assert raised.value.code == "bad_input"

    (tmp_path / "a.py").write_text(text)
    result = fuzzy_edit.edit_file("a.py", first="def f():", last="    c = 3", move_to="b.py", root=tmp_path)
    assert result.ok, result.message
    assert (tmp_path / "b.py").read_text() == "def f():\n    b = 2\n    c = 3\n"
    assert (tmp_path / "a.py").read_text() == "a = 1\n"


def test_the_base_decides_between_equal_places():
    base, text = "a\nx\nb\n", "a\nx\nb\nx\n"
    assert fuzzy_edit.apply(text, "x", "y").code == "ambiguous"
    assert fuzzy_edit.apply(text, "x", "y", base=base).output == "a\ny\nb\nx\n"
    located = fuzzy_edit.locate(text, "x", "y", base=base)
    assert [place.lines for place in located.places] == [(2, 2)]
    assert fuzzy_edit.explain(text, "x", "y", base=base).located.ok
    with pytest.raises(TypeError, match="base"):
        fuzzy_edit.apply(text, "x", "y", base=1)


def test_a_named_edit_of_a_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\ntwo\r\nthree\r\n")
    result = fuzzy_edit.edit_file("a.txt", first="one", last="two", new="1\n2\n", root=tmp_path)
    assert result.ok and path.read_bytes() == b"1\r\n2\r\nthree\r\n"
    again = fuzzy_edit.edit_file("a.txt", lines=(1, 2), new="x", expected_hash=result.file_hash, root=tmp_path)
    assert again.ok and path.read_bytes() == b"x\r\nthree\r\n"
