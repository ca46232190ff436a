//! Places where a test may end the process.

/// Marks a place where a crash must be harmless.
///
/// Does nothing unless the crate is built with the feature `failpoints`. Then it appends `name` to the file named by
/// `FUZZY_FAILPOINT_LOG`, and kills the process as `kill -9` would at the hit whose number, from 1, or whose name is in
/// `FUZZY_FAILPOINT_KILL`.
pub fn hit(name: &str) {
    #[cfg(feature = "failpoints")]
    armed::hit(name);
    #[cfg(not(feature = "failpoints"))]
    let _ = name;
}

#[cfg(feature = "failpoints")]
mod armed {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static HITS: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn hit(name: &str) {
        let number = HITS.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(log) = std::env::var_os("FUZZY_FAILPOINT_LOG")
            && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(log)
        {
            let _ = writeln!(file, "{name}");
        }
        let kill = std::env::var("FUZZY_FAILPOINT_KILL").unwrap_or_default();
        if kill == name || kill.parse() == Ok(number) {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        }
    }
}
