//! Points at which a test can kill or pause the process.

/// Marks a point at which a crash must be harmless.
///
/// Does nothing unless the crate is built with the feature `failpoints`. Then it appends `name` to the file
/// `FUZZY_FAILPOINT_LOG`, kills the process as `kill -9` does if `FUZZY_FAILPOINT_KILL` is the number of the hit,
/// counted from 1, or its name, and pauses if `FUZZY_FAILPOINT_WAIT` is its name: it creates the file `here` in the
/// directory `FUZZY_FAILPOINT_DIR` and continues once there is a file `go`.
pub fn hit(name: &str) {
    #[cfg(feature = "failpoints")]
    armed::hit(name);
    #[cfg(not(feature = "failpoints"))]
    let _ = name;
}

/// Makes every step of the file writer a failpoint, if a test uses failpoints.
pub(crate) fn hook_writes() {
    #[cfg(feature = "failpoints")]
    armed::hook_writes();
}

#[cfg(feature = "failpoints")]
mod armed {
    use std::io::Write as _;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

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
            fuzzy_system::end_at_once();
        }
        if std::env::var("FUZZY_FAILPOINT_WAIT").is_ok_and(|place| place == name) {
            let dir = std::env::var_os("FUZZY_FAILPOINT_DIR").map(PathBuf::from).unwrap_or_default();
            let _ = std::fs::write(dir.join("here"), "");
            while !dir.join("go").exists() {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    pub(super) fn hook_writes() {
        if std::env::var_os("FUZZY_FAILPOINT_LOG").is_some() || std::env::var_os("FUZZY_FAILPOINT_KILL").is_some() {
            fuzzy_safe_write::meanwhile(Some(Box::new(|_| hit("write"))));
        }
    }
}
