//! Decides an edit from the lines around the only exact occurrence of its old text, if no other lines can matter.

use fuzzy_pipeline::Document;

use crate::answer::{LIMIT, of};
use crate::json::json;
use crate::request::{Request, What};
use crate::units::Units;
use crate::utf16::Utf16;

/// Answers an edit that replaces the only exact occurrence of its old text; `None` if the decision needs more of the
/// text.
///
/// The engine decides, and reports whether these lines were enough for the decision.
///
/// Cost: two passes over the units, and a decision about these lines.
pub(crate) fn answer(request: &Request<'_>, content: Utf16<'_>) -> Option<String> {
    let new = request.new?;
    // A budget and a size limit apply to the complete search and the complete text.
    let bytes = 3 * (content.len() + request.old.len() + new.len());
    if request.has_budget() || request.replace_all() || request.is_named() || bytes as u64 > LIMIT {
        return None;
    }
    let place = content.only_place(request.old)?;
    let end = place + request.old.encode_utf16().count();
    // The reach is in bytes, and a text has at least as many bytes as units.
    let around = |has_carriage_return| {
        let reach = request.pipeline().ladder().reach(new, has_carriage_return)?;
        Some(content.lines(place.saturating_sub(reach)..content.len().min(end + reach)))
    };
    let widest = around(true)?;
    let lines = if content.may_have_carriage_return(widest.clone()) { widest } else { around(false)? };
    if lines.len() == content.len() {
        return None;
    }
    let document = Document::new(content.text(lines.clone()));
    let attempt = request.attempt(&document);
    let judgement = attempt.decide();
    if !judgement.is_local() {
        return None;
    }
    let answer = of(&judgement, &Units::of_part(document.text(), lines.start), request.what == What::Apply);
    answer.is_ok().then(|| json(&answer))
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::ladders::pipeline;
    use crate::request::{Content, Request};

    /// Answers an edit of `file` from the lines around its place, if they are enough.
    fn local(ladder: &str, file: &str, old: &str, new: &str) -> Option<String> {
        let number =
            (0..=u8::MAX).find(|number| pipeline(*number).is_some_and(|it| it.ladder().name() == ladder)).unwrap();
        // `Apply`, with a new text, content in UTF-16.
        let mut bytes = vec![1, 4 | 8, number, 0];
        let content: Vec<u8> = file.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for text in [&content, old.as_bytes(), new.as_bytes()] {
            bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        }
        bytes.extend([0; 16]);
        bytes.extend([&content, old.as_bytes(), new.as_bytes()].concat());
        let request = Request::read(&bytes).unwrap();
        let Content::Utf16(content) = request.content else { panic!("not in UTF-16") };
        answer(&request, content)
    }

    fn file(line: &str, middle: &str, count: usize) -> String {
        format!("{}{middle}\n{}", line.repeat(count), line.repeat(count))
    }

    #[test]
    fn a_few_lines_are_enough_for_most_exact_edits() {
        for (line, count) in [("    é();\n", 100), ("é();\r\n", 2_000)] {
            let file = file(line, "    start(größe);", count);
            for (old, new) in
                [("größe", "weite"), ("start(größe);", "stop();\n    start(größe);\n    and();"), ("start(", "stop(")]
            {
                for ladder in
                    ["adaptive", "full", "full-guarded", "opencode", "conservative", "reference", "registered"]
                {
                    let answer = local(ladder, &file, old, new);
                    assert!(
                        answer.as_ref().is_some_and(|it| it.contains("\"ok\":true")),
                        "{ladder}: {old:?} to {new:?}: {answer:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn other_edits_need_the_whole_text() {
        let lines = |middle: &str| file("    é();\n", middle, 2_000);
        for (file, old, new) in [
            (lines("start();"), "stop();", "x"),
            (lines("start();\nstart();"), "start();", "stop();"),
            // Only the other lines show whether the new line belongs at column 0.
            (lines("    start();"), "start();", "start();\nand();"),
            (lines("start();"), "start();", "// ... rest unchanged"),
            (lines("start();\nand();"), "start();", "start();\nand();"),
            (lines("timeout: 300"), "timeout: 30", "timeout: 60"),
            // The file is a single line, or hardly longer than the excerpt.
            ("é".repeat(9_000) + "start();", "start();", "stop();"),
            ("é();\nstart();\n".to_owned(), "start();", "stop();"),
        ] {
            assert_eq!(local("adaptive", &file, old, new), None, "{old:?} to {new:?}");
        }
    }
}
