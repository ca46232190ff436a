//! Renders git's patch of a file: with line numbers and marked words, truncated if it is long.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::text::{count, quoted};
use maud::{Markup, html};

use super::syntax::{Part, Reader, coloured, of_path};
use super::words::differing;

/// The number of lines of a file's diff in a list of files.
pub(super) const BRIEF: usize = 300;
/// The number of lines of a diff on its own page.
pub(super) const LONG: usize = 10_000;
/// Diffs of more lines have no syntax colours, because each coloured part adds a tag.
const COLOURED: usize = 2_000;
/// Longer lines are truncated.
const LINE_BYTES: usize = 1_000;

/// Splits a patch into one part for each file, in the patch's order.
///
/// A file that becomes a link has two consecutive parts with the same heading: they form one part here.
pub(super) fn by_file(patch: &[u8]) -> Vec<&[u8]> {
    let mut starts: Vec<(usize, &[u8])> = Vec::new();
    let mut at = 0;
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        // Lines of a file begin with a space, a sign or a backslash.
        if line.starts_with(b"diff --git ") && starts.last().is_none_or(|(_, last)| *last != line) {
            starts.push((at, line));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([patch.len()]);
    starts.iter().zip(ends).map(|((start, _), end)| &patch[*start..end]).collect()
}

/// Renders at most `lines` lines of one file's part; `address` is the page of the whole diff.
pub(super) fn diff(path: &RepoPath, part: &[u8], lines: usize, address: Option<&str>) -> Markup {
    with_boxes(path, part, lines, address, None)
}

/// The checkboxes of a file's hunks.
pub(super) struct Boxes<'a> {
    /// The id of their form.
    pub(super) form: &'a str,
    /// The file's path, as encoded in forms.
    pub(super) file: String,
    /// The verb in their names.
    pub(super) verb: &'a str,
    /// Whether each change of a hunk with several has a checkbox, too.
    pub(super) lines: bool,
    /// The ticked ones, each by its name and value.
    pub(super) ticked: &'a [String],
}

/// Does the same, with a checkbox at each hunk if there are several.
pub(super) fn with_boxes(
    path: &RepoPath,
    part: &[u8],
    lines: usize,
    address: Option<&str>,
    boxes: Option<&Boxes<'_>>,
) -> Markup {
    if is_binary(part) {
        return html! { p.note { "The file is binary." } };
    }
    let mut rows = rows(part, lines);
    if rows.is_empty() {
        return html! { p.note { (without_lines(part)) } };
    }
    colour(path, &mut rows);
    let left = changes(part).count().saturating_sub(lines);
    let ticks = boxes.map(|boxes| ticks(path, part, &rows, boxes)).unwrap_or_default();
    html! {
        pre.diff tabindex="0" {
            @for (at, row) in rows.iter().enumerate() { (row.written(ticks.get(&at))) }
        }
        @if left > 0 {
            p.note {
                (count(left as u64, "more line"))
                @if let Some(address) = address { ": " a href=(address) { "the whole diff" } } @else { " left out." }
            }
        }
    }
}

/// Renders the checkboxes before rows: of hunks if there are several, and of the changes of a hunk with several.
fn ticks(path: &RepoPath, part: &[u8], rows: &[Row<'_>], boxes: &Boxes<'_>) -> HashMap<usize, Markup> {
    let tick = |name: &str, value: &str, says: &str| {
        let value = format!("{} {value}", boxes.file);
        let is_ticked = boxes.ticked.contains(&format!("{name} {value}"));
        html! {
            input.tick type="checkbox" name=(name) value=(value) form=(boxes.form) checked[is_ticked]
                aria-label={ (boxes.verb) " " (says) " of " (quoted(path)) };
        }
    };
    let mut ticks = HashMap::new();
    let hunks: Vec<usize> = rows.iter().enumerate().filter(|(_, row)| row.class == "hunk").map(|(at, _)| at).collect();
    if changes(part).filter(|line| line.starts_with(b"@@")).count() > 1 {
        for (number, at) in hunks.iter().enumerate() {
            ticks.insert(*at, tick("hunk", &number.to_string(), &format!("hunk {}", number + 1)));
        }
    }
    if !boxes.lines {
        return ticks;
    }
    for (number, at) in hunks.iter().enumerate() {
        let end = hunks.get(number + 1).copied().unwrap_or(rows.len());
        let blocks = blocks(rows, at + 1..end);
        for (at, [first, last]) in blocks.iter().filter(|_| blocks.len() > 1) {
            let says = if first == last { format!("line {first}") } else { format!("lines {first} to {last}") };
            ticks.insert(*at, tick("lines", &format!("{first}-{last}"), &says));
        }
    }
    ticks
}

/// Returns the neighbouring changes of a hunk, each by its first row and its lines in the new text: for deleted lines,
/// the line after them.
fn blocks(rows: &[Row<'_>], hunk: Range<usize>) -> Vec<(usize, [u64; 2])> {
    let (mut blocks, mut at) = (Vec::new(), hunk.start);
    let mut before = 0;
    while at < hunk.end {
        if rows[at].class == "same" {
            before = rows[at].numbers[1].unwrap_or(before);
            at += 1;
            continue;
        }
        let length = rows[at..hunk.end].iter().take_while(|row| row.class != "same").count();
        let added: Vec<u64> = rows[at..at + length].iter().filter_map(|row| row.numbers[1]).collect();
        if rows[at].class != "soft" {
            let after = rows.get(at + length).and_then(|row| row.numbers[1]).unwrap_or(before + 1);
            let lines = [added.first(), added.last()].map(|line| line.copied().unwrap_or(after));
            blocks.push((at, lines));
        }
        before = added.last().copied().unwrap_or(before);
        at += length;
    }
    blocks
}

/// Returns the lines after the headings.
fn changes(part: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut heading = true;
    part.split_inclusive(|byte| *byte == b'\n').filter(move |line| {
        heading = line.starts_with(b"diff --git ") || heading && !line.starts_with(b"@@");
        !heading
    })
}

/// One line of a diff.
struct Row<'a> {
    class: &'static str,
    /// Its old and new line number, if it exists on that side.
    numbers: [Option<u64>; 2],
    /// A plus, a minus or a space, if it is a line of the file.
    sign: &'static str,
    text: Cow<'a, str>,
    is_cut: bool,
    /// The parts of the text that differ from the corresponding line on the other side.
    marks: Vec<Range<usize>>,
    /// The syntax of the text's parts, if its language is known.
    parts: Vec<(Range<usize>, Part)>,
}

fn rows(part: &[u8], most: usize) -> Vec<Row<'_>> {
    let mut next = [0, 0];
    let mut rows: Vec<Row<'_>> = changes(part).take(most).map(|line| row(line, &mut next)).collect();
    mark(&mut rows);
    rows
}

/// Parses a line; `next` has the old and the new number of the next line.
fn row<'a>(line: &'a [u8], next: &mut [u64; 2]) -> Row<'a> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let (class, sign, sides) = match line.first() {
        Some(b'+') => ("add", "+", [false, true]),
        Some(b'-') => ("del", "-", [true, false]),
        Some(b' ') => ("same", " ", [true, true]),
        Some(b'@') => ("hunk", "", [false, false]),
        _ => ("soft", "", [false, false]),
    };
    if class == "hunk" {
        *next = starts(line).unwrap_or_default();
    }
    let mut numbers = [None, None];
    for side in [0, 1] {
        if sides[side] {
            numbers[side] = Some(next[side]);
            next[side] += 1;
        }
    }
    let text = &line[sign.len()..];
    let cut = &text[..text.len().min(LINE_BYTES)];
    Row {
        class,
        numbers,
        sign,
        text: String::from_utf8_lossy(cut),
        is_cut: cut.len() < text.len(),
        marks: Vec::new(),
        parts: Vec::new(),
    }
}

/// Parses the old and the new first line of a hunk from `@@ -1,2 +3,4 @@`.
fn starts(line: &[u8]) -> Option<[u64; 2]> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split(' ').skip(1);
    let places = [words.next()?.strip_prefix('-')?, words.next()?.strip_prefix('+')?];
    let [old, new] = places.map(|place| place.split(',').next()?.parse().ok());
    Some([old?, new?])
}

/// Marks the differing words of replaced lines, where equally many lines are deleted and inserted.
fn mark(rows: &mut [Row<'_>]) {
    let mut at = 0;
    while at < rows.len() {
        let deleted = run(&rows[at..], "del");
        let inserted = run(&rows[at + deleted..], "add");
        if deleted == inserted {
            let (olds, news) = rows[at..at + deleted + inserted].split_at_mut(deleted);
            for (old, new) in olds.iter_mut().zip(news) {
                if let Some([old_marks, new_marks]) = differing(&old.text, &new.text) {
                    (old.marks, new.marks) = (old_marks, new_marks);
                }
            }
        }
        at += (deleted + inserted).max(1);
    }
}

/// Returns the number of leading rows of this class.
fn run(rows: &[Row<'_>], class: &str) -> usize {
    rows.iter().take_while(|row| row.class == class).count()
}

/// Finds the syntax of the lines' parts. The old and the new text are read separately.
fn colour(path: &RepoPath, rows: &mut [Row<'_>]) {
    let Some(language) = of_path(path).filter(|_| rows.len() <= COLOURED) else { return };
    let mut texts = [Reader::new(language), Reader::new(language)];
    for row in rows {
        if row.numbers == [None, None] {
            texts.iter_mut().for_each(Reader::jump);
            continue;
        }
        for (text, number) in texts.iter_mut().zip(row.numbers) {
            if number.is_some() {
                row.parts = text.line(&row.text);
            }
        }
    }
}

impl Row<'_> {
    /// Renders the row after its checkbox.
    fn written(&self, tick: Option<&Markup>) -> Markup {
        let mut at = 0;
        let mut parts = Vec::new();
        for mark in &self.marks {
            parts.push((at..mark.start, mark.clone()));
            at = mark.end;
        }
        let is_line = self.numbers != [None, None];
        html! {
            span class=(self.class) {
                @if let Some(tick) = tick { (tick) }
                // The numbers are not text, so they are not copied with the lines.
                @if is_line { @for number in self.numbers { i data-n=[number] {} } }
                (self.sign)
                @for (same, marked) in parts { (self.coloured(same)) mark { (self.coloured(marked)) } }
                (self.coloured(at..self.text.len()))
                @if self.is_cut { " …" } "\n"
            }
        }
    }

    /// Renders a part of the text with syntax colours.
    fn coloured(&self, range: Range<usize>) -> Markup {
        coloured(&self.text, range, &self.parts)
    }
}

fn is_binary(part: &[u8]) -> bool {
    has_heading(part, b"Binary files ") || heading(part).any(|line| line == b"GIT binary patch\n")
}

/// Returns whether a line of the heading begins with `start`.
fn has_heading(part: &[u8], start: &[u8]) -> bool {
    heading(part).any(|line| line.starts_with(start))
}

fn heading(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    part.split_inclusive(|byte| *byte == b'\n').take_while(|line| !line.starts_with(b"@@"))
}

/// Describes the change of a file without changed lines.
fn without_lines(part: &[u8]) -> &'static str {
    if has_heading(part, b"old mode") {
        "Only the executable bit changes."
    } else if has_heading(part, b"new file") || has_heading(part, b"deleted file") {
        "The file is empty."
    } else {
        "No line changes."
    }
}

#[cfg(test)]
mod tests {
    use super::{Boxes, by_file, diff, with_boxes};

    const PATCH: &str = "\
diff --git a/a b/a
index 1..2 100644
--- a/a
+++ b/a
@@ -1 +1 @@
-<b>old</b>
+diff --git a/x b/x
diff --git a/l b/l
deleted file mode 100644
--- a/l
+++ /dev/null
@@ -1 +0,0 @@
-file
diff --git a/l b/l
new file mode 120000
--- /dev/null
+++ b/l
@@ -0,0 +1 @@
+target
\\ No newline at end of file
diff --git a/pic b/pic
index 1..2 100644
Binary files a/pic and b/pic differ
diff --git a/run b/run
old mode 100644
new mode 100755
diff --git a/none b/none
new file mode 100644
index 0000000..e69de29
";

    fn rendered_parts() -> Vec<String> {
        by_file(PATCH.as_bytes()).iter().map(|part| diff(&"a".into(), part, 4, Some("/more")).into_string()).collect()
    }

    #[test]
    fn each_file_has_one_part_even_if_its_type_changes() {
        assert_eq!(by_file(PATCH.as_bytes()).len(), 5);
        assert!(by_file(b"").is_empty());
        let rendered = rendered_parts();
        assert!(
            rendered[0].contains(r#"<span class="del"><i data-n="1"></i><i></i>-&lt;b&gt;old&lt;/b&gt;"#),
            "{}",
            rendered[0]
        );
        assert!(
            rendered[0].contains(r#"<span class="add"><i></i><i data-n="1"></i>+diff --git a/x b/x"#),
            "{}",
            rendered[0]
        );
        assert!(rendered[2].contains("binary") && rendered[3].contains("executable") && rendered[4].contains("empty"));
    }

    #[test]
    fn long_diffs_and_lines_are_cut() {
        assert!(rendered_parts()[1].contains(r#"1 more line: <a href="/more">"#), "{}", rendered_parts()[1]);
        let endless =
            [b"diff --git a/a b/a\n@@ -0,0 +1 @@\n+".as_slice(), &vec![b'x'; 100_000], &[0xff, b'\n']].concat();
        let rendered = diff(&"a".into(), &endless, 10, None).into_string();
        assert!(rendered.len() < 2_000 && rendered.contains(" …"), "{}", rendered.len());
    }

    #[test]
    fn lines_are_numbered_and_their_words_marked() {
        let patch = b"diff --git a/a b/a\n@@ -7,3 +9,3 @@ fn f()\n same\n-total = 0\n+total = 1\n end\n";
        let rendered = diff(&"a".into(), patch, 10, None).into_string();
        for row in [
            r#"<span class="hunk">@@ -7,3 +9,3 @@ fn f()"#,
            r#"<i data-n="7"></i><i data-n="9"></i> same"#,
            r#"<i data-n="8"></i><i></i>-total = <mark>0</mark>"#,
            r#"<i></i><i data-n="10"></i>+total = <mark>1</mark>"#,
            r#"<i data-n="9"></i><i data-n="11"></i> end"#,
        ] {
            assert!(rendered.contains(row), "{row}: {rendered}");
        }
    }

    #[test]
    fn hunks_and_their_changes_have_checkboxes_if_there_are_several() {
        let patch = b"diff --git a/a b/a\n@@ -1,6 +1,7 @@\n-a\n+A\n b\n-c\n+C\n+C2\n d\n-e\n f\n+end\n@@ -20,2 +21,1 @@\n x\n-y\n";
        let values = |lines: bool| {
            let boxes = Boxes { form: "f", file: "a".to_owned(), verb: "Only", lines, ticked: &[] };
            let rendered = with_boxes(&"a".into(), patch, 100, None, Some(&boxes)).into_string();
            let values = rendered.split("value=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or("").to_owned());
            values.collect::<Vec<_>>()
        };
        assert_eq!(values(false), ["a 0", "a 1"]);
        assert_eq!(values(true), ["a 0", "a 1-1", "a 3-4", "a 6-6", "a 7-7", "a 1"]);
    }

    #[test]
    fn code_is_coloured_on_both_sides_and_within_marks() {
        let patch = b"@@ -1,3 +1,3 @@\n /* a\n-b */ let x = 1;\n+b */ let x = 2;\n@@ -9 +9 @@ fn f()\n+let\n";
        let rendered = diff(&"src/a.rs".into(), patch, 10, None).into_string();
        for row in [
            r#" <span class="c">/* a</span>"#,
            r#"-<span class="c">b */</span> <span class="w">let</span> x = <mark><span class="n">1</span></mark>;"#,
            r#"+<span class="c">b */</span> <span class="w">let</span> x = <mark><span class="n">2</span></mark>;"#,
            r#"+<span class="w">let</span>"#,
        ] {
            assert!(rendered.contains(row), "{row}: {rendered}");
        }
        let long = [&patch[..], &b" let x = 1;\n".repeat(3_000)].concat();
        assert!(!diff(&"a.rs".into(), &long, 10_000, None).into_string().contains(r#"<span class="w">"#));
    }
}
