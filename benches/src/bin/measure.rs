//! Measures scenarios and prints one JSON object per line: `measure [WORDS…]`.
//!
//! Measures the scenarios whose names have every word. Only this program has the counting allocator, so criterion's
//! benches run without it.

use std::env;
use std::io::{self, Write as _};

use fuzzy_benches::{measure, questions};
use serde_json::json;

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    for (question, scenarios) in questions::ALL {
        // A word that names a question avoids building the others.
        if words.iter().any(|word| *word != *question && questions::ALL.iter().any(|(name, _)| name == word)) {
            continue;
        }
        for scenario in scenarios() {
            let id = scenario.id();
            if !words.iter().all(|word| id.contains(word.as_str())) {
                continue;
            }
            eprintln!("{id}");
            let answer = scenario.check();
            let heap = allocation_counter::measure(|| _ = (scenario.work)());
            let times = measure::times(&scenario);
            let line = json!({
                "question": scenario.question,
                "subject": scenario.subject,
                "case": scenario.case,
                "class": scenario.class.name(),
                "lines": scenario.haystack.lines(),
                "bytes": scenario.haystack.as_str().len(),
                "needle_lines": scenario.needle_lines,
                "answer": answer.to_string(),
                "ns": times.time,
                "pass_ns": times.pass,
                "yardstick_ns": times.yardstick,
                "naive_ns": times.naive,
                "allocations": heap.count_total,
                "peak_bytes": heap.bytes_max,
            });
            writeln!(io::stdout(), "{line}")?;
        }
    }
    Ok(())
}
