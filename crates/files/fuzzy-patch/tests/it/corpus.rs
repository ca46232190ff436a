//! The part of the corpus that tests reading; a test of the command checks that the edits apply.

use std::sync::LazyLock;

use fuzzy_patch::{parse, parse_where};
use fuzzy_testkit::{patches, texts};
use proptest::prelude::*;

#[test]
fn is_refused_on_the_line_that_is_wrong_and_nowhere_else() {
    for case in patches::cases() {
        let read = parse_where(&case.patch, case.target, &|name| case.files.contains_key(name));
        match (case.error, read) {
            (Some(("parse", line)), Err(error)) => {
                assert_eq!(Some(error.line), line, "{}, {}: {error}", case.kind, case.name);
            }
            (Some(("parse", line)), Ok(patch)) => panic!("{}: read in spite of line {line:?}: {patch:?}", case.name),
            (_, Err(error)) => panic!("{}, {}: {error}", case.kind, case.name),
            (_, Ok(_)) => {}
        }
    }
}

/// Damage to a patch.
#[derive(Clone, Debug)]
enum Damage {
    /// A line is lost.
    Drop(prop::sample::Index),
    /// A line is repeated.
    Double(prop::sample::Index),
    /// Two lines are exchanged.
    Swap(prop::sample::Index, prop::sample::Index),
    /// A line loses its first characters.
    Bite(prop::sample::Index, usize),
    /// A line gets a mark.
    Mark(prop::sample::Index, &'static str),
    /// A line of another patch is inserted.
    Splice(prop::sample::Index, prop::sample::Index, prop::sample::Index),
    /// The rest is lost.
    Cut(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        at().prop_map(Damage::Drop),
        at().prop_map(Damage::Double),
        (at(), at()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (at(), 1..4_usize).prop_map(|(a, count)| Damage::Bite(a, count)),
        (at(), prop::sample::select(vec![" ", "+", "-", "\t", "> ", "\\", "é"]))
            .prop_map(|(a, mark)| Damage::Mark(a, mark)),
        (at(), at(), at()).prop_map(|(a, b, c)| Damage::Splice(a, b, c)),
        at().prop_map(Damage::Cut),
    ]
}

fn damaged(text: &str, damages: &[Damage], patches: &[String]) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for damage in damages {
        let count = lines.len();
        match damage {
            Damage::Drop(at) if count > 1 => drop(lines.remove(at.index(count))),
            Damage::Double(at) => lines.insert(at.index(count), lines[at.index(count)].clone()),
            Damage::Swap(a, b) => lines.swap(a.index(count), b.index(count)),
            Damage::Bite(at, characters) => {
                let line = &mut lines[at.index(count)];
                *line = line.chars().skip(*characters).collect();
            }
            Damage::Mark(at, mark) => lines[at.index(count)].insert_str(0, mark),
            Damage::Splice(at, patch, line) => {
                let other: Vec<&str> = patches[patch.index(patches.len())].split('\n').collect();
                lines.insert(at.index(count), other[line.index(other.len())].to_owned());
            }
            Damage::Cut(at) => lines.truncate(at.index(count) + 1),
            Damage::Drop(_) => {}
        }
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(texts::config_of(8192))]

    /// A damaged patch is read or rejected, and every line of an edit occurs in the patch.
    #[test]
    fn survives_damage(
        case in any::<prop::sample::Index>(),
        damages in prop::collection::vec(damage(), 1..5),
        target in any::<bool>(),
    ) {
        static PATCHES: LazyLock<Vec<String>> =
            LazyLock::new(|| patches::cases().into_iter().map(|case| case.patch).collect());
        let text = damaged(&PATCHES[case.index(PATCHES.len())], &damages, &PATCHES);
        let Ok(patch) = parse(&text, target.then_some("t.txt")) else { return Ok(()) };
        for part in &patch.files {
            let fuzzy_patch::Change::Update { edits, .. } = &part.change else { continue };
            for edit in edits {
                for line in edit.old.lines().chain(edit.new.lines()) {
                    prop_assert!(text.contains(line), "{:?} is not in {:?}", line, text);
                }
            }
        }
    }
}
