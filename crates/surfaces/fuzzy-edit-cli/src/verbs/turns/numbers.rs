//! Numbers of turns on the command line.

use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text::plain;

/// The most turns of one range.
const MOST: i64 = 10_000;

/// Parses numbers and ranges such as `2..4`, which includes both ends.
pub(super) fn turns_of(words: &[String]) -> Result<Vec<i64>, Refused> {
    let mut turns = Vec::new();
    for word in words {
        let bad = || {
            let message = format!("`{}` is not the number of a turn", plain(word));
            Refused::bad_input(
                message,
                "Write numbers such as `2` or `1 4`, a range such as `2..4`, or `turns revert 2..`.",
            )
        };
        let (first, last) = word.split_once("..").unwrap_or((word, word));
        let number = |text: &str| text.parse::<i64>().ok().filter(|number| *number > 0);
        let (first, last) = number(first).zip(number(last)).ok_or_else(bad)?;
        if first > last || last - first >= MOST {
            return Err(bad());
        }
        turns.extend(first..=last);
    }
    Ok(turns)
}

/// Parses the number of a turn, or of a step of one: `2.3`.
pub(super) fn step_of(word: &str) -> Result<(i64, Option<usize>), Refused> {
    let (turn, step) = word.split_once('.').map_or((word, None), |(turn, step)| (turn, Some(step)));
    let step = step.map(|step| step.parse::<usize>().ok().filter(|step| *step > 0));
    let turn = turn.parse::<i64>().ok().filter(|turn| *turn > 0);
    match (turn, step) {
        (Some(turn), None) => Ok((turn, None)),
        (Some(turn), Some(Some(step))) => Ok((turn, Some(step))),
        _ => {
            let message = format!("`{}` is not the number of a turn or a step", plain(word));
            Err(Refused::bad_input(message, "Write a number such as `2`, or `2.3` for a step of turn 2."))
        }
    }
}

/// Parses the numbers of turns, or `2..`: the first turn, and whether all later ones are meant, too.
pub(super) fn since(words: &[String]) -> Result<(Vec<i64>, bool), Refused> {
    match words {
        [word] if word.ends_with("..") && word.len() > 2 => {
            Ok((turns_of(&[word.trim_end_matches("..").to_owned()])?, true))
        }
        _ => Ok((turns_of(words)?, false)),
    }
}

/// Returns numbers as text, such as `turns 1, 4`.
pub(crate) fn named(turns: &[i64]) -> String {
    let numbers: Vec<String> = turns.iter().map(ToString::to_string).collect();
    format!("{} {}", if turns.len() == 1 { "turn" } else { "turns" }, numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{since, step_of, turns_of};

    #[test]
    fn ranges_include_both_ends() {
        let parse = |words: &[&str]| turns_of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).ok();
        assert_eq!(parse(&["1", "4"]), Some(vec![1, 4]));
        assert_eq!(parse(&["2..4", "7..7"]), Some(vec![2, 3, 4, 7]));
        for bad in ["", "x", "0", "-1", "4..2", "1..", "..3", "1..99999999"] {
            assert_eq!(parse(&[bad]), None, "{bad}");
        }
        let since = |words: &[&str]| since(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).ok();
        assert_eq!(since(&["3.."]), Some((vec![3], true)));
        assert_eq!(since(&["3", "1..2"]), Some((vec![3, 1, 2], false)));
        let step = |word: &str| step_of(word).ok();
        assert_eq!((step("2"), step("2.3")), (Some((2, None)), Some((2, Some(3)))));
        assert!(["", "x", "0", "2.", "2.0", ".1", "2.x", "2..3"].iter().all(|bad| step(bad).is_none()));
        assert!(since(&[".."]).is_none() && since(&["2..", "3"]).is_none() && since(&["x.."]).is_none());
    }
}
