//! The ladders, each with its feature.

#[cfg(feature = "adaptive")]
mod adaptive;
#[cfg(feature = "adaptive")]
mod hand_written;
#[cfg(feature = "adaptive")]
mod labelled;
mod ladders;
#[cfg(feature = "adaptive")]
mod laws;
#[cfg(all(feature = "adaptive", feature = "all"))]
mod named_lines;
mod places;
#[cfg(feature = "adaptive")]
mod reasons;
#[cfg(feature = "adaptive")]
mod slips;
#[cfg(all(feature = "merge", feature = "full", feature = "conservative"))]
mod three_way;
#[cfg(feature = "adaptive")]
mod transfers;
