//! Edits whose author writes other marks than the file, on all lines alike, and edits for lines that the file lacks.
//!
//! The file is a list of statements of one form. Old and new text have the same lines in another form; the new text has one
//! more, which is expected in the file's form. The forms are tables; nothing here knows how the engine learns them.

use fastrand::Rng;

use super::case::Case;
use super::words::{NOUNS, VERBS, capital, one};

/// The prefix of the names of all kinds.
pub(super) const PREFIX: &str = "marks:";

/// Makes an edit.
type Make = fn(&mut Rng) -> Case;

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = kinds! {
    end prefix around between foreign_line goes_on unindented unfounded absent_sibling
};

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = String> {
    KINDS.iter().map(|(kind, _)| format!("{PREFIX}{kind}"))
}

/// Makes an edit of a kind, given without its prefix.
pub(super) fn case(kind: &str, rng: &mut Rng) -> Option<Case> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    Some(Case { kind: format!("{PREFIX}{kind}"), ..make(rng) })
}

/// A form of lines: the marks around the first word and the second one, and between them.
type Form = [&'static str; 3];

/// Forms of the author, with those of the file: ends of lines.
const ENDS: &[(Form, Form)] = &[
    (["", "(", ")"], ["", "(", ");"]),
    (["", "(", ");"], ["", "(", ")"]),
    (["", " = ", ""], ["", " = ", ";"]),
    (["", " = ", ";"], ["", " = ", ""]),
    (["", ": ", ""], ["", ": ", ","]),
    (["", ": ", ","], ["", ": ", ";"]),
    (["", " runs the ", "."], ["", " runs the ", ""]),
    (["", " runs the ", ""], ["", " runs the ", "."]),
    (["", "=", ""], ["", "=", " \\"]),
];

/// Prefixes of lines.
const PREFIXES: &[&str] =
    &["# ", "## ", "// ", "/// ", "//! ", "-- ", ";; ", "% ", "> ", ">> ", "* ", "#. ", "| ", "-> ", "! ", ": ", "$ "];

/// Marks right beside words.
const AROUND: &[(Form, Form)] = &[
    (["echo $", " | sort $", ""], ["echo $$", " | sort $$", ""]),
    (["Call `", "` before `", "`."], ["Call ``", "`` before ``", "``."]),
    (["run <", "> by <", ">"], ["run [", "] by [", "]"]),
    (["use {{ ", " }} for {{ ", " }}"], ["use {{", "}} for {{", "}}"]),
    (["set @", " to @", ";"], ["set @@", " to @@", ";"]),
];

/// Marks between words.
const BETWEEN: &[(Form, Form)] = &[
    (["", ",", ""], ["", ";", ""]),
    (["", ",", ""], ["", "\t", ""]),
    (["", ", ", ""], ["", " | ", ""]),
    (["", ": ", ""], ["", " : ", ""]),
    (["", " => ", ","], ["", ": ", ","]),
    (["", " = ", ";"], ["", " := ", ";"]),
    (["", "->", ";"], ["", ".", ";"]),
    (["", "::", ""], ["", ".", ""]),
    (["", "/", ""], ["", ".", ""]),
    (["( ", ", ", " )"], ["(", ", ", ")"]),
];

/// Returns different words of at least four letters.
fn words(count: usize, rng: &mut Rng) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    while found.len() < count {
        let word = format!("{}_{}", one(VERBS, rng), one(NOUNS, rng));
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Writes two words in a form.
fn line([before, between, after]: Form, words: &[String]) -> String {
    format!("{before}{}{between}{}{after}", words[0], words[1])
}

/// Makes an edit that inserts `new` among the lines of some words; `expected` is the line in the file's form.
fn inserted(
    author: impl Fn(&[String]) -> String,
    file: impl Fn(&[String]) -> String,
    other: Option<&str>,
    rng: &mut Rng,
) -> Case {
    let count = rng.usize(2..5);
    let all = words(2 * count + 2, rng);
    let (pairs, rest): (Vec<&[String]>, &[String]) = (all[..2 * count].chunks(2).collect(), &all[2 * count..]);
    let at = rng.usize(1..count);
    let texts = |form: &dyn Fn(&[String]) -> String, added: Option<String>| {
        let mut lines: Vec<String> = pairs.iter().map(|words| form(words)).collect();
        if let Some(added) = added {
            lines.insert(at, added);
        }
        lines.join("\n")
    };
    let [new_line, expected] = match other {
        Some(other) => [other.to_owned(), other.to_owned()],
        None => [author(rest), file(rest)],
    };
    let around = |text: String| format!("begin\n\n{text}\n\nend\n");
    Case {
        id: String::new(),
        kind: String::new(),
        content: around(texts(&file, None)),
        old: texts(&author, None),
        new: texts(&author, Some(new_line)),
        expected: Some(around(texts(&file, Some(expected)))),
    }
}

/// Makes an edit in one of some forms.
fn in_form(forms: &[(Form, Form)], rng: &mut Rng) -> Case {
    let (author, file) = forms[rng.usize(..forms.len())];
    inserted(|words| line(author, words), |words| line(file, words), None, rng)
}

fn end(rng: &mut Rng) -> Case {
    in_form(ENDS, rng)
}

fn around(rng: &mut Rng) -> Case {
    in_form(AROUND, rng)
}

fn between(rng: &mut Rng) -> Case {
    in_form(BETWEEN, rng)
}

/// The author leaves the prefix of all lines out.
fn prefix(rng: &mut Rng) -> Case {
    let prefix = one(PREFIXES, rng);
    let prose = |words: &[String]| format!("The {} waits for the {}.", words[0], words[1]);
    inserted(prose, |words| format!("{prefix}{}", prose(words)), None, rng)
}

/// The new line is of another kind, and keeps its marks.
fn foreign_line(rng: &mut Rng) -> Case {
    let (author, file) = ENDS[rng.usize(..4)];
    let other = one(&["// the next one is slow", "# see below", "if (is_open) {", ""], rng);
    inserted(|words| line(author, words), |words| line(file, words), Some(other), rng)
}

/// Old and new text end a statement that goes on in the file.
fn goes_on(rng: &mut Rng) -> Case {
    let (head, joint) = one(
        &[
            ("rows = table", "  ."),
            ("SELECT name\nFROM boats\nWHERE true", "  AND "),
            ("type Kind =", "  | "),
            ("total = start", "  + "),
            ("echo all", "  && "),
        ],
        rng,
    );
    let all = words(4, rng);
    let item = |word: &String| format!("{joint}{word}(1)");
    let [first, second, third, new] = [0, 1, 2, 3].map(|at| item(&all[at]));
    let quoted = if rng.bool() { format!("{head}\n{first}\n{second}") } else { format!("{first}\n{second}") };
    Case {
        id: String::new(),
        kind: String::new(),
        content: format!("{head}\n{first}\n{second}\n{third};\n\nend\n"),
        old: format!("{quoted};"),
        new: format!("{quoted}\n{new};"),
        expected: Some(format!("{head}\n{first}\n{second}\n{new}\n{third};\n\nend\n")),
    }
}

/// The old text is one line without its indentation and with a slip, and the new text's other lines are indented.
fn unindented(rng: &mut Rng) -> Case {
    let indent = one(&["    ", "        ", "\t", "\t\t", "  "], rng);
    let all = words(6, rng);
    let call = |word: &str, argument: &str| format!("{word}({argument}, \"all\");");
    let file = |lines: &[String]| {
        let lines: Vec<String> = lines.iter().map(|line| format!("{indent}{line}")).collect();
        format!("head {{\n{}\n}}\n", lines.join("\n"))
    };
    let [before, line, after] = [0, 1, 2].map(|at| call(&all[at], &all[at + 3]));
    let slipped = line.replace('"', "'").replace(", ", if rng.bool() { "," } else { ",  " });
    let new = call(&all[5], &all[2]);
    Case {
        id: String::new(),
        kind: String::new(),
        content: file(&[before.clone(), line.clone(), after.clone()]),
        old: slipped.clone(),
        new: format!("{slipped}\n{indent}{new}"),
        expected: Some(file(&[before, line, new, after])),
    }
}

/// The old text has an import that the file lacks, and the new text uses its name.
fn unfounded(rng: &mut Rng) -> Case {
    let all = words(6, rng);
    let (import, open) = one(&[("import ", ""), ("use crate::", ";"), ("const tools = require(", ");")], rng);
    let imports = [0, 1].map(|at| format!("{import}{}{open}", all[at]));
    let lost = format!("{import}{}{open}", all[2]);
    let body = format!("run({}, {});\nstop({});", all[3], all[4], all[0]);
    Case {
        id: String::new(),
        kind: String::new(),
        content: format!("{}\n{}\n\n{body}\n", imports[0], imports[1]),
        old: format!("{}\n{lost}\n{}\n\n{body}", imports[0], imports[1]),
        new: format!("{}\n{lost}\n{}\n\n{body}\n{}({}, 1);", imports[0], imports[1], all[2], all[5]),
        expected: None,
    }
}

/// The old text has a sibling of lines that the file has, and lines beside it.
fn absent_sibling(rng: &mut Rng) -> Case {
    let names: Vec<String> = words(6, rng).iter().map(|word| capital(word)).collect();
    let (before, after) =
        one(&[("case ", "(value: Text)"), ("event ", "(address by);"), ("data class ", "(val id: Int)")], rng);
    let line = |name: &String| format!("    {before}{name}{after}");
    let lines: Vec<String> = names[..4].iter().map(line).collect();
    let lost = line(&names[4]);
    let changed = lost.replacen('(', "(more: Text, ", 1);
    let context = one(&[[false, true], [true, false], [true, true]], rng);
    let quoted = |middle: &str| {
        let [above, below] = context;
        let above = if above { format!("{}\n", lines[1]) } else { String::new() };
        let below = if below { format!("\n{}", lines[3]) } else { String::new() };
        format!("{above}{middle}{below}")
    };
    Case {
        id: String::new(),
        kind: String::new(),
        content: format!("kinds {{\n{}\n}}\n", lines.join("\n")),
        old: quoted(&lost),
        new: quoted(&changed),
        expected: None,
    }
}
