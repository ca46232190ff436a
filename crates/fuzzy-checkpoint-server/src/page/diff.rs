//! What a restore changes in a file, as git writes it, coloured and cut where it is long.

use fuzzy_checkpoint_service::text::count;
use maud::{Markup, html};

/// How many lines of a file's diff stand in a plan.
pub(super) const BRIEF: usize = 300;
/// How many lines stand on a page of its own.
pub(super) const LONG: usize = 10_000;
/// Longer lines are cut.
const LINE_BYTES: usize = 1_000;

/// Cuts a patch into the parts that belong to one file each, in the patch's order.
///
/// A file that becomes a link has two parts, one after the other, under the same heading: these stay together.
pub(super) fn by_file(patch: &[u8]) -> Vec<&[u8]> {
    let mut starts: Vec<(usize, &[u8])> = Vec::new();
    let mut at = 0;
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        // A line of a file begins with a blank, a sign or a backslash.
        if line.starts_with(b"diff --git ") && starts.last().is_none_or(|(_, last)| *last != line) {
            starts.push((at, line));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([patch.len()]);
    starts.iter().zip(ends).map(|((start, _), end)| &patch[*start..end]).collect()
}

/// Writes one file's part, `lines` lines of it; `address` is where there is more.
pub(super) fn diff(part: &[u8], lines: usize, address: Option<&str>) -> Markup {
    if is_binary(part) {
        return html! { p.note { "The file is binary: its bytes change as a whole." } };
    }
    let mut changes = changes(part).peekable();
    if changes.peek().is_none() {
        return html! { p.note { (without_lines(part)) } };
    }
    let all = changes.clone().count();
    html! {
        pre.diff tabindex="0" {
            @for line in changes.take(lines) { (row(line)) }
        }
        @if all > lines {
            p.note {
                (count((all - lines) as u64, "more line"))
                @if let Some(address) = address { ": " a href=(address) { "the whole diff" } } @else { " left out." }
            }
        }
    }
}

/// Returns the lines below the headings.
fn changes(part: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut heading = true;
    part.split_inclusive(|byte| *byte == b'\n').filter(move |line| {
        heading = line.starts_with(b"diff --git ") || heading && !line.starts_with(b"@@");
        !heading
    })
}

fn row(line: &[u8]) -> Markup {
    let class = match line.first() {
        Some(b'+') => "add",
        Some(b'-') => "del",
        Some(b'@') => "hunk",
        Some(b' ') => "same",
        _ => "soft",
    };
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let cut = &line[..line.len().min(LINE_BYTES)];
    html! { span class=(class) { (String::from_utf8_lossy(cut)) @if cut.len() < line.len() { " …" } "\n" } }
}

fn is_binary(part: &[u8]) -> bool {
    heading(part).any(|line| line.starts_with(b"Binary files ") || line == b"GIT binary patch\n")
}

fn heading(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    part.split_inclusive(|byte| *byte == b'\n').take_while(|line| !line.starts_with(b"@@"))
}

/// Says what happens to a file none of whose lines change.
fn without_lines(part: &[u8]) -> &'static str {
    let says = |start: &[u8]| heading(part).any(|line| line.starts_with(start));
    if says(b"old mode") {
        "Only whether the file can be executed changes."
    } else if says(b"new file") || says(b"deleted file") {
        "The file is empty."
    } else {
        "No line changes."
    }
}

#[cfg(test)]
mod tests {
    use super::{by_file, diff};

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

    fn shown() -> Vec<String> {
        by_file(PATCH.as_bytes()).iter().map(|part| diff(part, 4, Some("/more")).into_string()).collect()
    }

    #[test]
    fn files_stay_apart_and_a_change_of_type_together() {
        assert_eq!(by_file(PATCH.as_bytes()).len(), 5);
        assert!(by_file(b"").is_empty());
        let shown = shown();
        assert!(shown[0].contains(r#"<span class="del">-&lt;b&gt;old&lt;/b&gt;"#), "{}", shown[0]);
        assert!(shown[0].contains(r#"<span class="add">+diff --git a/x b/x"#), "{}", shown[0]);
        assert!(shown[2].contains("binary") && shown[3].contains("executed") && shown[4].contains("empty"));
    }

    #[test]
    fn long_diffs_and_lines_are_cut() {
        assert!(shown()[1].contains(r#"1 more line: <a href="/more">"#), "{}", shown()[1]);
        let endless =
            [b"diff --git a/a b/a\n@@ -0,0 +1 @@\n+".as_slice(), &vec![b'x'; 100_000], &[0xff, b'\n']].concat();
        let shown = diff(&endless, 10, None).into_string();
        assert!(shown.len() < 2_000 && shown.contains(" …"), "{}", shown.len());
    }
}
