//! The playground: a static page that shows and explains the decision of each ladder about an edit.
//!
//! The page is in `page/`, written by hand. Its engine is WebAssembly, which is built separately. A build of this crate
//! includes the module at the path in the variable `FUZZY_PLAYGROUND_ENGINE`, which `cargo xtask dist` sets; without it
//! [`files`] returns `None`, and [`files_with`] takes the engine at run time.
//!
//! The page stores and sends no data, so its server needs no authentication: every client gets the same few files.

mod server;

pub use server::{POLICY, serve};

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its name, which is also its path on the server.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $media_type:literal,)*) => {
        &[
            $(File { name: $name, media_type: $media_type, bytes: include_bytes!(concat!("../page/", $name)) },)*
            File {
                name: ENGINE,
                media_type: "application/wasm",
                bytes: include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm")),
            },
        ]
    };
}

const FILES: &[File] = files! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "examples.json": "application/json",
    "boot.js": "text/javascript; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "case.js": "text/javascript; charset=utf-8",
    "lines.js": "text/javascript; charset=utf-8",
    "digest.js": "text/javascript; charset=utf-8",
    "link.js": "text/javascript; charset=utf-8",
    "copies.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "diff.js": "text/javascript; charset=utf-8",
    "views.js": "text/javascript; charset=utf-8",
    "worker.js": "text/javascript; charset=utf-8",
    "engine.js": "text/javascript; charset=utf-8",
    "colours.js": "text/javascript; charset=utf-8",
    "syntax-bash.js": "text/javascript; charset=utf-8",
    "syntax-c.js": "text/javascript; charset=utf-8",
    "syntax-css.js": "text/javascript; charset=utf-8",
    "syntax-detect.js": "text/javascript; charset=utf-8",
    "syntax-docker.js": "text/javascript; charset=utf-8",
    "syntax-go.js": "text/javascript; charset=utf-8",
    "syntax-html.js": "text/javascript; charset=utf-8",
    "syntax-java.js": "text/javascript; charset=utf-8",
    "syntax-js.js": "text/javascript; charset=utf-8",
    "syntax-json.js": "text/javascript; charset=utf-8",
    "syntax-make.js": "text/javascript; charset=utf-8",
    "syntax-md.js": "text/javascript; charset=utf-8",
    "syntax-py.js": "text/javascript; charset=utf-8",
    "syntax-rs.js": "text/javascript; charset=utf-8",
    "syntax-sql.js": "text/javascript; charset=utf-8",
    "syntax-tokenize.js": "text/javascript; charset=utf-8",
    "syntax-toml.js": "text/javascript; charset=utf-8",
    "syntax-ts.js": "text/javascript; charset=utf-8",
    "syntax-xml.js": "text/javascript; charset=utf-8",
    "syntax-yaml.js": "text/javascript; charset=utf-8",
};

/// The name of the file with the engine.
const ENGINE: &str = "engine.wasm";

/// Returns all files of the page with the given engine. Their memory is never freed.
#[must_use]
pub fn files_with(engine: Vec<u8>) -> &'static [File] {
    let engine = engine.leak();
    let files = FILES.iter().map(|file| if file.name == ENGINE { File { bytes: engine, ..*file } } else { *file });
    files.collect::<Vec<_>>().leak()
}

/// Returns all files of the page; `None` if this build does not include an engine.
#[must_use]
pub fn files() -> Option<&'static [File]> {
    FILES.iter().all(|file| !file.bytes.is_empty()).then_some(FILES)
}
