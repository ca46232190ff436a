//! Blocks with similar bodies: an edit never lands in the sibling of the block that it names.
//!
//! The generator writes files of a few blocks with bodies of the same words, in several languages. It makes old texts
//! from parts of these blocks by cutting lines, and knows nothing of the engine's blocks and names.

use fuzzy_testkit::texts;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use crate::support::decide;

/// How a language writes a block: the lines before its body, one line of the body, and the lines after it.
#[derive(Clone, Copy, Debug)]
struct Language {
    head: &'static str,
    line: &'static str,
    end: &'static str,
}

const LANGUAGES: &[Language] = &[
    Language { head: "def NAME(self, key):", line: "    self.WORD(key, NUMBER)", end: "" },
    Language { head: "class NAME(Base):", line: "    WORD = field(NUMBER)", end: "" },
    Language { head: "fn NAME(key: &Key) -> usize {", line: "    key.WORD(NUMBER);", end: "}" },
    Language { head: "int NAME(struct key *key)\n{", line: "    WORD(key, NUMBER);", end: "}" },
    Language { head: "  resources :NAME, only: %i[index] do", line: "    WORD NUMBER", end: "  end" },
    Language { head: "  namespace :NAME do", line: "    WORD NUMBER", end: "  end" },
    Language { head: "  it \"opens the NAME\" do", line: "    expect(WORD).to eq(NUMBER)", end: "  end" },
    Language { head: "it('NAME', () => {", line: "  expect(WORD(NUMBER)).toBe(true);", end: "});" },
    Language { head: "NAME:", line: "  WORD: NUMBER", end: "" },
    Language { head: "[NAME]", line: "WORD = NUMBER", end: "" },
    Language { head: ".NAME {", line: "  WORD: NUMBERpx;", end: "}" },
    Language { head: "  \"NAME\": {", line: "    \"WORD\": NUMBER,", end: "    \"last\": 0\n  }," },
    Language { head: "type NAME implements Node {", line: "  WORD: Int = NUMBER", end: "}" },
    Language { head: "- name: NAME", line: "  WORD: NUMBER", end: "" },
    Language { head: "Scenario: the NAME is open", line: "  Given the WORD is NUMBER", end: "" },
    Language { head: "NAME <- function(data) {", line: "  WORD(data, NUMBER)", end: "}" },
    Language { head: "(defn NAME", line: "  (WORD NUMBER)", end: ")" },
    Language { head: "<section id=\"NAME\">", line: "  <i>WORD NUMBER</i>", end: "</section>" },
];

/// How a language writes a block in a block: the head with the name, the equal heads of the inner blocks, one line of
/// their bodies, and the lines after these.
struct Nested {
    outer: &'static str,
    inner: &'static str,
    line: &'static str,
    end: &'static str,
}

const NESTED: &[Nested] = &[
    Nested {
        outer: "    void NAME()\n    {",
        inner: "        while (queue.take(out var job))\n        {",
        line: "            job.WORD(NUMBER);",
        end: "        }\n    }",
    },
    Nested { outer: "function NAME(id) {", inner: "  useEffect(() => {", line: "    WORD(NUMBER);", end: "  });\n}" },
    Nested { outer: "def NAME(key):", inner: "    with lock(key):", line: "        WORD(NUMBER)", end: "" },
];

const DECORATED: &[Language] =
    &[Language { head: "@timed\n@cached(size=SIZE)\ndef NAME(key):", line: "    WORD(key, NUMBER)", end: "" }];

const NAMES: &[&str] = &["garden", "kitchen", "workshop", "balcony", "attic"];
const ABSENT: &[&str] = &["chimney", "lobby", "veranda"];
const WORDS: &[&str] = &["margin", "padding", "height", "border", "colour", "shadow", "outline", "radius"];

/// A file of blocks in one language, no two bodies equal.
#[derive(Clone, Debug)]
struct Blocks {
    language: Language,
    /// The lines of each block's body.
    bodies: Vec<Vec<String>>,
}

impl Blocks {
    fn head(&self, name: &str) -> String {
        self.language.head.replace("NAME", name)
    }

    fn file(&self) -> String {
        self.file_with("")
    }

    /// Returns the file with lines between the head and the body of every block.
    fn file_with(&self, inner: &str) -> String {
        let block = |(name, body): (&&str, &Vec<String>)| {
            let lines = [self.head(name), inner.to_owned(), body.join("\n"), self.language.end.to_owned()];
            lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n") + "\n"
        };
        NAMES.iter().zip(&self.bodies).map(block).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the old and the new text of an edit of the last line under a head.
fn edit(head: &str, body: &[String]) -> (String, String) {
    let old = format!("{head}\n{}", body.join("\n"));
    let (last, before) = body.split_last().unwrap();
    let new = [head, &before.join("\n"), &last.replacen(char::is_numeric, "70", 1)];
    (old, new.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"))
}

/// Returns two different blocks.
fn two(blocks: &Blocks, one: Index, other: Index) -> (usize, usize) {
    let count = blocks.bodies.len();
    let one = one.index(count);
    (one, (one + 1 + other.index(count - 1)) % count)
}

/// Fails if an edit lands.
fn is_refused(file: &str, old: &str, new: &str) -> Result<(), TestCaseError> {
    let answer = decide(file, old, new, false);
    prop_assert!(answer.applied.is_err(), "{file}\n---\n{old}\n---\n{:?}", answer.output());
    Ok(())
}

fn blocks() -> impl Strategy<Value = Blocks> {
    blocks_in(LANGUAGES)
}

/// Makes blocks with a head in a head: their language is that of a [`Nested`] one.
fn nested_blocks() -> impl Strategy<Value = Blocks> {
    let languages = NESTED.iter().map(|nested| Language { head: nested.outer, line: nested.line, end: nested.end });
    blocks_in(languages.collect::<Vec<_>>())
}

fn blocks_in(languages: impl Into<std::borrow::Cow<'static, [Language]>>) -> impl Strategy<Value = Blocks> {
    let body = (subsequence(WORDS, 3..6).prop_shuffle(), 100..900usize);
    (select(languages), prop::collection::vec(body, 2..NAMES.len())).prop_map(|(language, bodies)| {
        let line = |block: usize, word: &str, number: usize| {
            // Every block has numbers of its own.
            let number = number / NAMES.len() * NAMES.len() + block;
            language.line.replace("WORD", word).replace("NUMBER", &number.to_string())
        };
        let bodies = bodies.iter().enumerate().map(|(block, (words, number))| {
            words.iter().zip(0..).map(|(word, at)| line(block, word, number + 11 * at)).collect()
        });
        Blocks { language, bodies: bodies.collect() }
    })
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn the_head_of_one_block_over_the_body_of_another_is_refused(
        blocks in blocks(),
        (one, other) in any::<(Index, Index)>(),
    ) {
        let (one, other) = two(&blocks, one, other);
        let (old, new) = edit(&blocks.head(NAMES[one]), &blocks.bodies[other]);
        let file = blocks.file();
        is_refused(&file, &old, &new)?;
    }

    #[test]
    fn the_head_of_one_block_over_the_first_lines_of_another_is_refused(
        blocks in blocks(),
        (one, other) in any::<(Index, Index)>(),
        count in 1..3usize,
    ) {
        let (one, other) = two(&blocks, one, other);
        let (old, new) = edit(&blocks.head(NAMES[one]), &blocks.bodies[other][..count]);
        let file = blocks.file();
        is_refused(&file, &old, &new)?;
    }

    #[test]
    fn the_outer_head_of_one_block_over_the_inner_block_of_another_is_refused(
        blocks in nested_blocks(),
        (one, other) in any::<(Index, Index)>(),
        count in 1..3usize,
    ) {
        let (one, other) = two(&blocks, one, other);
        let Nested { outer, inner, .. } = NESTED.iter().find(|nested| nested.outer == blocks.language.head).unwrap();
        let head = format!("{}\n{inner}", outer.replace("NAME", NAMES[one]));
        let (old, new) = edit(&head, &blocks.bodies[other][..count]);
        let file = blocks.file_with(inner);
        is_refused(&file, &old, &new)?;
    }

    #[test]
    fn the_decorator_of_one_block_over_the_head_of_another_is_refused(
        blocks in blocks_in(DECORATED),
        (one, other) in any::<(Index, Index)>(),
    ) {
        let (one, other) = two(&blocks, one, other);
        let head = |decorated: usize, named: usize| {
            blocks.head(NAMES[named]).replace("SIZE", &(100 + decorated).to_string())
        };
        let bodies = blocks.bodies.iter().enumerate();
        let texts = bodies.map(|(block, body)| format!("{}\n{}\n", head(block, block), body.join("\n")));
        let (file, old) = (texts.collect::<Vec<_>>().join("\n"), head(other, one));
        let new = old.replacen(char::is_numeric, "7", 1);
        is_refused(&file, &old, &new)?;
    }

    #[test]
    fn a_head_that_no_block_has_is_refused(blocks in blocks(), name in select(ABSENT), other in any::<Index>()) {
        let (old, new) = edit(&blocks.head(name), &blocks.bodies[other.index(blocks.bodies.len())]);
        let file = blocks.file();
        is_refused(&file, &old, &new)?;
    }

    #[test]
    fn an_elision_that_leaves_its_block_is_refused(blocks in blocks(), (one, other) in any::<(Index, Index)>()) {
        let (one, other) = two(&blocks, one, other);
        let last = &blocks.bodies[other][blocks.bodies[other].len() - 1..];
        let indent = &last[0][..last[0].len() - last[0].trim_start().len()];
        let (old, new) = edit(&format!("{}\n{indent}...", blocks.head(NAMES[one])), last);
        let file = blocks.file();
        is_refused(&file, &old, &new)?;
    }

    #[test]
    fn a_misspelt_head_over_its_own_body_lands(
        blocks in blocks(),
        one in any::<Index>(),
        slip in select(&["case", "letter", "plural"][..]),
    ) {
        let one = one.index(blocks.bodies.len());
        let name = match slip {
            "case" => NAMES[one].to_uppercase(),
            // No word of the file is torn at its beginning.
            "letter" => NAMES[one][..1].to_owned() + &NAMES[one][1..].replacen(|c: char| !"aeiou".contains(c), "", 1),
            _ => format!("{}s", NAMES[one]),
        };
        let (old, new) = edit(&blocks.head(&name), &blocks.bodies[one]);
        let file = blocks.file();
        let (exact, changed) = edit(&blocks.head(NAMES[one]), &blocks.bodies[one]);
        let answer = decide(&file, &old, &new, false);
        prop_assert_eq!(answer.output(), Some(file.replace(&exact, &changed)), "{}\n---\n{}", file, old);
    }
}
