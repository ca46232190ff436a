//! Puts the engine in WebAssembly where the library takes it from.

use std::path::PathBuf;
use std::{env, fs};

/// The file that holds the engine; `cargo xtask playground` makes it and says where it is.
const ENGINE: &str = "FUZZY_PLAYGROUND_ENGINE";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={ENGINE}");
    let engine = env::var_os(ENGINE).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    let module = engine.map_or_else(Vec::new, |path| {
        println!("cargo::rerun-if-changed={}", path.display());
        // A build with the variable set must not lack the engine.
        fs::read(&path).unwrap_or_else(|error| panic!("{ENGINE}: {}: {error}", path.display()))
    });
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    fs::write(out.join("engine.wasm"), module).expect("cargo's folder can be written");
}
