//! ULIDs, so that ids never contain text from a user.

use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// Generates a ULID: 48 bits of time in milliseconds, 80 random bits, in Crockford's base 32. Within a process each is
/// greater than the previous one.
#[must_use]
pub fn ulid() -> String {
    static LAST: Mutex<u128> = Mutex::new(0);
    let now = u128::try_from(now_ms()).unwrap_or(0);
    let mut random = [0_u8; 16];
    // Without random bytes, time and counter still make ids unique within the process.
    let _ = getrandom::fill(&mut random[6..]);
    let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let fresh = (now << 80) | u128::from_be_bytes(random);
    *last = if fresh > *last { fresh } else { *last + 1 };
    let value = *last;
    (0..26).rev().map(|place| char::from(LETTERS[usize::try_from((value >> (5 * place)) & 31).unwrap_or(0)])).collect()
}

/// The digits of Crockford's base 32, from 0 to 31, which omit letters that look like digits.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Returns the time of a ULID, in milliseconds since 1970; `None` for any other text.
#[must_use]
pub fn ulid_ms(text: &str) -> Option<i64> {
    let digits = text.bytes().map(|byte| LETTERS.iter().position(|letter| *letter == byte));
    let digits = digits.collect::<Option<Vec<_>>>().filter(|digits| digits.len() == 26)?;
    digits[..10].iter().try_fold(0_i64, |time, digit| i64::try_from(*digit).ok()?.checked_add(time.checked_mul(32)?))
}

/// Returns the time in milliseconds since 1970.
#[must_use]
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{now_ms, ulid, ulid_ms};

    #[test]
    fn ulids_grow_and_have_26_letters() {
        let made: Vec<String> = (0..1000).map(|_| ulid()).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
        let age = now_ms() - ulid_ms(&made[0]).expect("a time");
        assert!((0..60_000).contains(&age), "{age}");
        assert_eq!(ulid_ms("P0"), None);
        assert!(made.iter().all(|id| id.len() == 26 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())));
    }
}
