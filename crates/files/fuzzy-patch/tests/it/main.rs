//! Tests of reading and writing patches.

mod corpus;
mod hostile;
mod round_trip;
