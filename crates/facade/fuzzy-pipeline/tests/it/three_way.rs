//! Ladders that carry what they paste over to the file.

use fuzzy_pipeline::{Applied, Document, Edit, Failure, Ladder, LineRange, Pipeline, Refusal, ThreeWay, ladder};

const FILE: &str = "\
class Lamp:\r
\tdef on(self):\r
\t\tself.level = 10\r
\t\tself.log('on')\r
\r
\tdef off(self):\r
\t\tself.level = 0\r
\t\tself.log('off')\r
";

fn apply(ladder: Ladder, file: &str, needle: &str, replacement: &str, replace_all: bool) -> Result<Applied, Failure> {
    let edit = Edit::new(needle, replacement).with_replace_all(replace_all);
    edit.run(&Pipeline::new(ladder), &Document::new(file))
}

fn merged(file: &str, needle: &str, replacement: &str) -> Result<Applied, Failure> {
    let ladder = ladder::full().with_merge(&ThreeWay);
    apply(ladder, file, needle, replacement, false)
}

#[test]
fn new_text_takes_the_files_indentation_and_endings() {
    let needle = "  def off(self):\n    self.level = 0";
    let replacement = "  def off(self, slowly=False):\n    if slowly:\n      self.fade()\n    self.level = 0";
    let applied = merged(FILE, needle, replacement).expect("the edit lands");
    let expected = FILE
        .replace("\tdef off(self):\r\n", "\tdef off(self, slowly=False):\r\n\t\tif slowly:\r\n\t\t\tself.fade()\r\n");
    assert_eq!(applied.output, expected);
    let (old, new) = applied.replaced[0].lines(FILE, &applied.output);
    assert_eq!((old, new), (LineRange { first: 6, last: 7 }, LineRange { first: 6, last: 9 }));
}

#[test]
fn a_line_that_only_the_file_has_stays() {
    // The rung takes the whole block for the needle's, which lacks the level.
    let needle = "  def on(self):\n    self.log('an')\n    self.log('on')";
    let replacement = "  def on(self, by):\n    self.log('an')\n    self.log('on')";
    let applied = merged(FILE, needle, replacement).expect("the edit lands");
    assert_eq!(applied.output, FILE.replace("def on(self):", "def on(self, by):"));
}

#[test]
fn what_would_be_a_guess_is_refused() {
    let needle = "  def off(self):\n    self.lamp = None\n    self.log('off')";
    let replacement = "  def off(self):\n    self.lamp.stop()\n    self.log('off')";
    let failure = merged(FILE, needle, replacement).expect_err("the line to change is not there");
    assert_eq!(failure, Failure::Refused(Refusal::Uncertain));
}

#[test]
fn exact_places_and_replace_all_take_the_replacement_to_the_byte() {
    let exact = merged(FILE, "self.log('on')", "self.log('on')\nself.glow()").expect("the edit lands");
    assert_eq!(exact.output, FILE.replace("self.log('on')", "self.log('on')\nself.glow()"));
    let ladder = ladder::full().with_merge(&ThreeWay);
    let all = apply(ladder, "\ta( )\n\tb\n", "  a( )\n  b", "  c\n  d", true).expect("the edit lands");
    assert_eq!(all.output, "  c\n  d\n");
}

#[test]
fn seed_ladders_paste_literally_unless_asked() {
    let (needle, replacement) = ("  self.level = 0\n  self.log('off')", "  self.level = 1\n  self.log('off')");
    let pasted = apply(ladder::conservative(), FILE, needle, replacement, false);
    let expected = FILE.replace("\t\tself.level = 0\r\n\t\tself.log('off')", "  self.level = 1\r\n  self.log('off')");
    assert_eq!(pasted.expect("the edit lands").output, expected);
    let ladder = ladder::conservative().with_merge(&ThreeWay);
    let merged = apply(ladder, FILE, needle, replacement, false);
    assert_eq!(merged.expect("the edit lands").output, FILE.replace("self.level = 0", "self.level = 1"));
}
