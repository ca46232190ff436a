//! Renders diffs for a terminal: with colours, and without control characters.

/// Returns a diff for a terminal, in colours unless `NO_COLOR` or `TERM` forbids them.
pub(crate) fn for_terminal(diff: &[u8]) -> Vec<u8> {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    coloured(diff, !no_color && !is_dumb)
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
