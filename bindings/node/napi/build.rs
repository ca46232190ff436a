//! Tells the linker which symbols Node brings.

use std::env;

fn main() {
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|it| it == value);
    // There the feature `dyn-symbols` looks them up in the running program: mingw would need a library of Node.js.
    if !(is("CARGO_CFG_TARGET_OS", "windows") && is("CARGO_CFG_TARGET_ENV", "gnu")) {
        napi_build::setup();
    }
}
