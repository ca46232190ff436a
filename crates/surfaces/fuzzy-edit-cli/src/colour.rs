//! Renders diffs: with colours, and for a terminal without control characters.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use clap::ValueEnum;

/// When diffs are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    Auto,
    Always,
    Never,
}

/// The choice of the command line.
static CHOICE: OnceLock<Colour> = OnceLock::new();

/// Sets when diffs are coloured; until then it is [`Colour::Auto`].
pub(crate) fn choose(colour: Colour) {
    // The command line has one choice.
    let _ = CHOICE.set(colour);
}

/// Returns a diff for an output that may be a terminal. Without colours and terminal it is unchanged.
pub(crate) fn rendered(diff: &[u8], is_terminal: bool) -> Cow<'_, [u8]> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_colours = match CHOICE.get().unwrap_or(&Colour::Auto) {
        Colour::Auto => is_terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|it| it != "dumb"),
        Colour::Always => true,
        Colour::Never => false,
    };
    if is_terminal || has_colours { coloured(diff, has_colours).into() } else { diff.into() }
}

fn coloured(patch: &[u8], colours: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let lines: Vec<&[u8]> = patch.split_inclusive(|byte| *byte == b'\n').collect();
    let marked = if colours { marked(&lines) } else { vec![0..0; lines.len()] };
    for (line, marked) in lines.into_iter().zip(marked) {
        let colour: &[u8] = match line.first() {
            _ if !colours => b"",
            _ if is_header(line) => b"\x1b[1m",
            Some(b'+') => b"\x1b[32m",
            Some(b'-') => b"\x1b[31m",
            Some(b'@') => b"\x1b[36m",
            _ => b"",
        };
        out.extend_from_slice(colour);
        for (at, byte) in line.iter().enumerate() {
            if at == marked.end && !marked.is_empty() {
                out.extend_from_slice(b"\x1b[27m");
            }
            if at == marked.start && !marked.is_empty() {
                out.extend_from_slice(b"\x1b[7m");
            }
            match byte {
                b'\n' if !colour.is_empty() => out.extend_from_slice(b"\x1b[m\n"),
                b'\n' | b'\t' => out.push(*byte),
                // Control characters of the file are written as `^[` and so on, so that they cannot control the
                // terminal.
                0..0x20 | 0x7f => out.extend_from_slice(&[b'^', byte ^ 0x40]),
                _ => out.push(*byte),
            }
        }
    }
    out
}

fn is_header(line: &[u8]) -> bool {
    [&b"diff "[..], b"+++", b"---"].iter().any(|start| line.starts_with(start))
}

/// Returns the part of each line that differs from the line that it replaces, or that replaces it. As git's
/// `diff-highlight`, it pairs lines only where as many are added as removed.
fn marked(lines: &[&[u8]]) -> Vec<Range<usize>> {
    let mut marked = vec![0..0; lines.len()];
    let run = |from: usize, sign: u8| {
        lines[from..].iter().take_while(|line| line.first() == Some(&sign) && !is_header(line)).count()
    };
    let mut at = 0;
    while at < lines.len() {
        let removed = run(at, b'-');
        let added = run(at + removed, b'+');
        if removed == added {
            for old in at..at + removed {
                let new = old + removed;
                (marked[old], marked[new]) = differing(lines[old], lines[new]);
            }
        }
        at += (removed + added).max(1);
    }
    marked
}

/// Returns the parts of two lines of a diff between what they share at both ends, as whole words; none if they share no
/// text.
fn differing(old: &[u8], new: &[u8]) -> (Range<usize>, Range<usize>) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    // The first bytes are the signs.
    let [a, b] = [old, new].map(|line| line[1..].strip_suffix(b"\n").unwrap_or(&line[1..]));
    let mut start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    while start > 0 && is_word(&a[start - 1]) && [a, b].iter().any(|line| line.get(start).is_some_and(is_word)) {
        start -= 1;
    }
    let room = a.len().min(b.len()) - start;
    let mut end = a.iter().rev().zip(b.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let before =
        |line: &[u8], end: usize| (line.len() - end).checked_sub(1).filter(|at| *at >= start).map(|at| line[at]);
    while end > 0
        && is_word(&a[a.len() - end])
        && [a, b].iter().any(|line| before(line, end).is_some_and(|byte| is_word(&byte)))
    {
        end -= 1;
    }
    let shared = a[..start].iter().chain(&a[a.len() - end..]);
    if shared.clone().all(u8::is_ascii_whitespace) {
        return (0..0, 0..0);
    }
    (start + 1..a.len() - end + 1, start + 1..b.len() - end + 1)
}

#[cfg(test)]
mod tests {
    use super::coloured;

    #[test]
    fn a_terminal_gets_colours_and_no_orders() {
        let patch = b"diff --git a/x b/x\n@@ -1 +1 @@\n-a\x1b[2J\n+b\tc\r\n d\n";
        let rendered = String::from_utf8(coloured(patch, true)).unwrap();
        let expected = "\x1b[1mdiff --git a/x b/x\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-a^[[2J\x1b[m\n\
                        \x1b[32m+b\tc^M\x1b[m\n d\n";
        assert_eq!(rendered, expected);
        let words = b" f(\n-a = first(x)\n-b\n+a = other(x)\n+cd\n-  total: 1\n+  total: 12\n-\xc3\xa4 = \xc3\xb6\n+\xc3\xa4 = \xc3\xbc\n-a\n";
        let rendered = String::from_utf8(coloured(words, true)).unwrap();
        let lines: Vec<&str> = rendered.lines().collect();
        assert_eq!(
            lines,
            [
                " f(",
                "\x1b[31m-a = \x1b[7mfirst\x1b[27m(x)\x1b[m",
                "\x1b[31m-b\x1b[m",
                "\x1b[32m+a = \x1b[7mother\x1b[27m(x)\x1b[m",
                "\x1b[32m+cd\x1b[m",
                "\x1b[31m-  total: \x1b[7m1\x1b[27m\x1b[m",
                "\x1b[32m+  total: \x1b[7m12\x1b[27m\x1b[m",
                "\x1b[31m-ä = \x1b[7mö\x1b[27m\x1b[m",
                "\x1b[32m+ä = \x1b[7mü\x1b[27m\x1b[m",
                "\x1b[31m-a\x1b[m",
            ]
        );
        let plain = String::from_utf8(coloured(patch, false)).unwrap();
        assert!(!plain.contains('\x1b') && plain.contains("-a^[[2J\n"), "{plain}");
    }
}
