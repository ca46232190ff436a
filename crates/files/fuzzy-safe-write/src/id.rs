//! Unique names whose order is that of their creation.

use std::time::{Duration, SystemTime};

/// Returns the time since 1970.
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Returns a unique name. Later names sort after earlier ones, unless the clock is set back.
pub(crate) fn new_id() -> String {
    new_id_after(0)
}

/// Returns a unique name that sorts after the one with this number; usually the number is the time.
pub(crate) fn new_id_after(last: u128) -> String {
    let now = since_1970().as_nanos().max(last.saturating_add(1));
    let mut random = [0; 4];
    // Without random bytes, time and process id still distinguish the name.
    let _ = getrandom::fill(&mut random);
    format!("{now:020x}{:08x}{:08x}", std::process::id(), u32::from_ne_bytes(random))
}
