//! Keys and alignments of lines.

use fuzzy_merge::{Key, Line, Pair, align, is_elision, key};

#[test]
fn careless_copies_have_equal_keys() {
    let same = [
        ("let a = b;", "  let  a=b"),
        ("say(\"Hello\")", "say(\u{201c}hello\u{201d})"),
        ("print('a\\n')", "print(\\\"a\\\\n\\\")"),
        ("if a < b && c", "if a &lt; b &amp;&amp; c"),
        ("a - b \u{2026}", "a \u{2014} b..."),
        ("f(a, b);\r", "f(a b)"),
    ];
    for (one, other) in same {
        assert_eq!(key(one), key(other), "{one} / {other}");
    }
    for (one, other) in [("a + b", "a - b"), ("f(a)", "f(b)"), ("x", ""), ("ab", "ba")] {
        assert_ne!(key(one), key(other), "{one} / {other}");
    }
}

#[test]
fn keys_join_as_their_texts_do() {
    assert_eq!(key("call(first,").join(key("  second)")), key("call(first, second)"));
    assert_eq!(Key::EMPTY.join(key("a")), key("a"));
    assert_eq!(key("").len, 0);
}

#[test]
fn recognises_elisions() {
    for line in [
        "...",
        "    // ...",
        "# ... existing code ...",
        "<!-- (rest unchanged) -->",
        "/* ... rest of the code ... */",
        "\u{2026}",
    ] {
        assert!(is_elision(line), "{line}");
    }
    for line in [
        "",
        "...baseConfig,",
        "call(...)",
        "# the existing code is slow",
        "// unchanged since 1999, see below",
        "rest unchanged",
    ] {
        assert!(!is_elision(line), "{line}");
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    text.split('\n').map(Line::new).collect()
}

fn paired(left: &str, right: &str, free: bool) -> Vec<(usize, usize)> {
    align(&lines(left), &lines(right), free).pairs.iter().map(|pair| (pair.left.start, pair.right.start)).collect()
}

#[test]
fn aligns_across_missing_extra_and_changed_lines() {
    assert_eq!(paired("first line\nthird line", "first line\nsecond one\nthird line", false), [(0, 0), (1, 2)]);
    assert_eq!(paired("first line\nsecond one\nthird line", "first line\nthird line", false), [(0, 0), (2, 1)]);
    assert_eq!(paired("alpha beta\ngamma delta", "alpha beta\ngamma dalta", false), [(0, 0), (1, 1)]);
    assert_eq!(paired("alpha beta\ngamma delta", "one two three\nfour five six", false), []);
}

#[test]
fn aligns_freely_inside_a_longer_text() {
    assert_eq!(paired("beta();\ngamma();", "}\nalpha();\nbeta();\ngamma();\n{", true), [(0, 2), (1, 3)]);
}

#[test]
fn ends_an_elision_at_the_nearest_line() {
    let file = "start of it\nalpha();\nend of it\nbeta();\nend of it\n";
    assert_eq!(paired("start of it\n// ...\nend of it", file, true), [(0, 0), (2, 2)]);
}

#[test]
fn pairs_wrapped_and_joined_lines() {
    let aligned = align(&lines("call(first,\n  second)\nend of it"), &lines("call(first, second)\nend of it"), false);
    assert_eq!(aligned.pairs[0], Pair { left: 0..2, right: 0..1, similarity: 1.0 });
    let aligned = align(&lines("call(first, second)\nend of it"), &lines("call(first,\n  second)\nend of it"), false);
    assert_eq!(aligned.pairs[0], Pair { left: 0..1, right: 0..2, similarity: 1.0 });
}

#[test]
fn aligns_long_texts_like_short_ones() {
    let text: Vec<String> = (0..1_500).map(|number| format!("statement number {number}")).collect();
    let left: Vec<Line<'_>> =
        text.iter().enumerate().filter(|(at, _)| at % 100 != 7).map(|(_, line)| Line::new(line)).collect();
    let right: Vec<Line<'_>> = text.iter().map(|line| Line::new(line)).collect();
    let aligned = align(&left, &right, true);
    assert_eq!(aligned.pairs.len(), left.len());
    assert!(aligned.pairs.iter().all(|pair| left[pair.left.start].text == right[pair.right.start].text));
}
