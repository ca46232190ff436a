//! Renders diffs: with colours, and for a terminal without control characters.

use std::borrow::Cow;
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
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        let colour: &[u8] = match line.first() {
            _ if !colours => b"",
            _ if line.starts_with(b"diff ") || line.starts_with(b"+++") || line.starts_with(b"---") => b"\x1b[1m",
            Some(b'+') => b"\x1b[32m",
            Some(b'-') => b"\x1b[31m",
            Some(b'@') => b"\x1b[36m",
            _ => b"",
        };
        out.extend_from_slice(colour);
        for byte in line {
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
        let plain = String::from_utf8(coloured(patch, false)).unwrap();
        assert!(!plain.contains('\x1b') && plain.contains("-a^[[2J\n"), "{plain}");
    }
}
