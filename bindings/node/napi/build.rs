//! Configures the linker for the symbols of Node.

use std::env;

fn main() {
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|it| it == value);
    // On Windows with mingw, the linker would need an import library of Node. The feature `dyn-symbols` looks up the
    // symbols in the running program instead.
    if !(is("CARGO_CFG_TARGET_OS", "windows") && is("CARGO_CFG_TARGET_ENV", "gnu")) {
        napi_build::setup();
    }
}
