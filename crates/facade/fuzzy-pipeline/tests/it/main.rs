//! The ladders, each with its feature.

#[cfg(feature = "adaptive")]
mod adaptive;
#[cfg(feature = "boocode")]
mod boocode;
#[cfg(feature = "conservative")]
mod conservative;
#[cfg(feature = "adaptive")]
mod hand_written;
#[cfg(feature = "adaptive")]
mod labelled;
#[cfg(feature = "adaptive")]
mod laws;
#[cfg(all(feature = "adaptive", feature = "all"))]
mod named_lines;
#[cfg(feature = "opencode")]
mod opencode;
mod places;
#[cfg(feature = "adaptive")]
mod reasons;
#[cfg(feature = "reference")]
mod reference;
#[cfg(feature = "adaptive")]
mod slips;
#[cfg(any(feature = "boocode", feature = "conservative", feature = "opencode", feature = "reference"))]
mod support;
#[cfg(all(feature = "merge", feature = "full", feature = "conservative"))]
mod three_way;
#[cfg(feature = "adaptive")]
mod transfers;
