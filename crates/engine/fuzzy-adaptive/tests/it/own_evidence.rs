//! Each text is read by its own evidence: a slip of the old text alone leaves the new text as it is written, and a slip
//! of both is undone in both. An edit lands as constructed, or is refused.

use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::decide;

/// Files of several languages; no line occurs twice.
const FILES: &[&[&str]] = &[
    &[
        "import os",
        "",
        "def load(path, limit=20):",
        "    name = os.path.basename(path)",
        "    text = read(name + \"-first\", limit)",
        "    if len(text) < limit and text != \"none\":",
        "        report(\"short text\", name)",
        "    return text.split(\"&\")",
    ],
    &[
        "set -e",
        "cd \"$ROOT/build\"",
        "echo \"building $NAME\" >&2",
        "make -j4 \"$NAME\" && make install",
        "cp \"$NAME.conf\" /etc/ || exit 1",
        "echo \"done\"",
    ],
    &[
        "export function total(items: Item[]): number {",
        "  let sum = 0;",
        "  for (const item of items) {",
        "    sum += item.price * (item.count ?? 1);",
        "    log(\"item\", item.name, \"costs\", item.price);",
        "  }",
        "  return sum > 0 ? sum : fail(\"no items & no sum\");",
        "}",
    ],
    &[
        "select name, price from items",
        "where kind = \"book\" and price < 20",
        "order by price desc, name",
        "limit 50;",
    ],
];

/// Lines to insert that look as if they had a slip.
const INSERTED: &[&str] = &[
    "404",
    "7: seven",
    "12 | twelve",
    "awk '{print $1}' names",
    "putchar('b');",
    "say(\"he said \\\"yes\\\" twice\")",
    "write(\"first\\nsecond\\n\")",
    "match(r'\\d+\\.\\d')",
    "page: &lt;p&gt;&amp;&lt;/p&gt;",
    "> quoted",
    "| cell | cell |",
    "rm -r - \"it's\"",
    "plain words here",
];

/// A slip, undone nowhere in this file.
#[derive(Clone, Copy, Debug)]
enum Slip {
    Numbers(&'static str),
    Gutter(&'static str),
    Fence,
    ClosingFence,
    Quotes,
    Json,
    Entities,
    OtherQuotes,
    TypographicQuotes,
}

use Slip::*;

const SLIPS: &[Slip] = &[
    Numbers("\t"),
    Numbers("| "),
    Numbers(": "),
    Gutter("│ "),
    Gutter("> "),
    Gutter("| "),
    Fence,
    ClosingFence,
    Quotes,
    Json,
    Entities,
    OtherQuotes,
    TypographicQuotes,
];

impl Slip {
    fn make(self, lines: &[String], first: usize) -> String {
        let text = lines.join("\n");
        match self {
            Numbers(mark) => each(lines, |at, line| format!("{}{mark}{line}", first + at + 1)),
            Gutter(mark) => each(lines, |_, line| format!("{mark}{line}")),
            Fence => format!("```\n{text}\n```"),
            ClosingFence => format!("{text}\n```"),
            Quotes => text.replace('"', "\\\""),
            Json => text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"),
            Entities => text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
            OtherQuotes => text.replace('"', "'"),
            TypographicQuotes => text.replace('"', "\u{201d}"),
        }
    }

    /// Returns whether inserted lines may keep the slip: the texts may not tell whether the author means it.
    fn may_stay(self) -> bool {
        matches!(self, OtherQuotes | TypographicQuotes)
    }
}

fn each(lines: &[String], write: impl Fn(usize, &str) -> String) -> String {
    lines.iter().enumerate().map(|(at, line)| write(at, line)).collect::<Vec<_>>().join("\n")
}

/// Which texts have the slip.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Old,
    Both,
    New,
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..texts::config() })]

    #[test]
    fn an_edit_lands_as_written_or_is_refused(
        file in prop::sample::select(FILES),
        first in any::<prop::sample::Index>(),
        length in 1..5_usize,
        inserted in prop::collection::vec(prop::sample::select(INSERTED), 0..4),
        changed in prop::option::of(any::<prop::sample::Index>()),
        at in any::<prop::sample::Index>(),
        slip in prop::sample::select(SLIPS),
        side in prop::sample::select(&[Side::Old, Side::Both, Side::New][..]),
    ) {
        let first = first.index(file.len() - 1);
        let last = (first + length).min(file.len());
        let old: Vec<String> = file[first..last].iter().map(|line| (*line).to_owned()).collect();
        // Blank lines at an end have no certain counterpart in the file.
        prop_assume!(!(old[0].is_empty() || old[old.len() - 1].is_empty()));
        let at = 1 + at.index(old.len());
        let indent = &old[at - 1][..old[at - 1].len() - old[at - 1].trim_start().len()];
        let lines = inserted.iter().map(|line| format!("{indent}{line}"));
        let mut new = old.clone();
        if let Some(changed) = changed {
            let line = &mut new[changed.index(old.len())];
            *line = line.replace("limit", "count").replace("price", "cost").replace("NAME", "TARGET");
        }
        new.splice(at..at, lines);
        let needle = if side == Side::New { old.join("\n") } else { slip.make(&old, first) };
        let written = if side == Side::Old { new.join("\n") } else { slip.make(&new, first) };
        // Without a slip, or a change, it is another edit.
        prop_assume!((side == Side::New || needle != old.join("\n")) && new != old);

        let (before, after) = (&file[..first], &file[last..]);
        let with = |middle: &str| {
            let lines = before.iter().copied().chain([middle]).chain(after.iter().copied());
            lines.collect::<Vec<_>>().join("\n") + "\n"
        };
        let text = file.join("\n") + "\n";
        let answer = decide(&text, &needle, &written, false);
        let Some(output) = answer.output() else { return Ok(()) };
        let kept_slip: Vec<String> = new.iter().enumerate().map(|(line, own)| {
            let is_inserted = (at..at + inserted.len()).contains(&line);
            if is_inserted { slip.make(std::slice::from_ref(own), first) } else { own.clone() }
        }).collect();
        let expected = match side {
            // An exact old text is replaced literally.
            Side::New => vec![with(&written)],
            Side::Both if slip.may_stay() => vec![with(&new.join("\n")), with(&kept_slip.join("\n"))],
            _ => vec![with(&new.join("\n"))],
        };
        prop_assert!(
            expected.contains(&output),
            "file:\n{}\nold:\n{}\nnew:\n{}\nwritten:\n{}", text, needle, written, output
        );
    }
}
