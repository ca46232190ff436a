//! Code fences of Markdown.

/// An open code fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// Reads the line that opens a fence; also returns the text after its mark.
    pub(crate) fn open(line: &str) -> Option<(Self, &str)> {
        let line = line.trim_start();
        let mark = *line.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = line.bytes().take_while(|byte| *byte == mark).count();
        let info = &line[length..];
        (length >= 3 && !info.contains('`')).then_some((Self { mark, length }, info))
    }

    /// Returns whether a line closes this fence.
    pub(crate) fn is_closed_by(self, line: &str) -> bool {
        // Inside a hunk an indented line is a context line.
        !line.starts_with([' ', '\t'])
            && Self::open(line).is_some_and(|(fence, info)| {
                fence.mark == self.mark && fence.length >= self.length && info.trim().is_empty()
            })
    }
}
