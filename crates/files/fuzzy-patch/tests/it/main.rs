//! Patches, read and written.

mod corpus;
mod hostile;
mod round_trip;
