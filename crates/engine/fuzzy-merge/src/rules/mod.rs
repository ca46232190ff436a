//! Rules that refuse a merge.

pub(crate) mod moved;
