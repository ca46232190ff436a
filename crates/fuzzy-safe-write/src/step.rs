//! What a batch does to one file.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::attributes::Attributes;
use crate::place::FilePlace;

/// What becomes of one file.
#[derive(Debug)]
pub struct Step<'a> {
    /// The path as the caller gave it.
    pub path: PathBuf,
    /// Where the file is, or is to be.
    pub place: FilePlace,
    /// What is there, and must be until it is replaced; nothing for a new file.
    pub before: Option<Cow<'a, [u8]>>,
    /// What is to be there; nothing for a file that is removed.
    pub after: Option<Cow<'a, [u8]>>,
    /// What a new file has besides its bytes, if it is to be like another one.
    pub attributes: Option<Attributes>,
    /// How many of the directories above a file that is removed were made for it, and go with it.
    pub directories: usize,
}
