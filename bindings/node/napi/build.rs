//! Tells the linker which symbols Node brings.

fn main() {
    napi_build::setup();
}
