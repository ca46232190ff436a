//! Tests of the report types.

mod failures;
