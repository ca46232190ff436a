//! Common prefix and suffix of two texts.

/// Bytes compared at once, which is far faster than one by one.
const CHUNK: usize = 4096;

/// Returns the length of the common prefix, in bytes.
pub(crate) fn prefix(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK)).take_while(|(a, b)| a == b).count();
    let same = chunks * CHUNK;
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// Returns the length of the common suffix, in bytes.
pub(crate) fn suffix(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK)).take_while(|(a, b)| a == b).count();
    let same = chunks * CHUNK;
    let rest = (&a[..a.len() - same], &b[..b.len() - same]);
    same + rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, prefix, suffix};

    #[test]
    fn ends_are_shared_up_to_the_first_other_byte() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let a = vec![7; length];
            assert_eq!((prefix(&a, &a), suffix(&a, &a)), (length, length));
            let longer = [&a[..], b"x"].concat();
            assert_eq!((prefix(&a, &longer), suffix(&a, &longer)), (length, 0));
            for at in [0, 1, length / 2, length.saturating_sub(1)].into_iter().filter(|at| *at < length) {
                let mut b = a.clone();
                b[at] = 8;
                assert_eq!((prefix(&a, &b), suffix(&a, &b)), (at, length - at - 1));
            }
        }
    }
}
