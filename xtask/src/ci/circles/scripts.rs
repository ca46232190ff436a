//! Finds the imports among files of JavaScript and of Python by the beginnings of their lines.

use std::path::Path;

use super::graph::Arrows;
use super::sources::Sources;

/// Returns the imports of every file. A re-export counts, because it loads the file.
pub(super) fn arrows(sources: &Sources) -> Arrows {
    let mut arrows = Arrows::default();
    for (file, text) in sources {
        let is_python = Path::new(file).extension().is_some_and(|extension| extension == "py");
        let imports = if is_python { python(sources, file, text) } else { javascript(file, text) };
        for (to, names) in imports.iter().filter(|(to, _)| sources.contains_key(to)) {
            arrows.add(file, to, names);
        }
    }
    arrows
}

/// Returns the files and names of `import … from './x.js'`, `export … from './x.js'` and `import './x.js'`.
fn javascript(file: &str, text: &str) -> Vec<(String, String)> {
    let mut imports = Vec::new();
    for keyword in ["import ", "export "] {
        let starts = text.match_indices(keyword).map(|(at, _)| at).filter(|at| *at == 0 || text[..*at].ends_with('\n'));
        for statement in starts.filter_map(|at| text[at + keyword.len()..].split(';').next()) {
            let (names, path) = statement.split_once(" from ").unwrap_or(("", statement));
            let path = path.trim().trim_matches(['\'', '"']);
            if path.starts_with('.') {
                imports.push((beside(file, path), names.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
        }
    }
    imports
}

/// Returns the file that a relative path in a file leads to.
fn beside(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/').filter(|part| *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Returns the files and names of `from x import a, b` and `import x`.
fn python(sources: &Sources, file: &str, text: &str) -> Vec<(String, String)> {
    let mut imports = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some((module, names)) =
            line.trim_start().strip_prefix("from ").and_then(|line| line.split_once(" import "))
        {
            // Names in parentheses may take several lines.
            let names = match names.strip_prefix('(') {
                Some(_) => rest.split_once('(').and_then(|(_, inside)| inside.split(')').next()).unwrap_or_default(),
                None => names,
            };
            for name in names.split(',').filter_map(|name| name.split_whitespace().next()) {
                // The name is a file of a package, or the module defines it.
                let inner = format!("{}.{name}", module.strip_suffix('.').unwrap_or(module));
                let found = python_file(sources, file, &inner).or_else(|| python_file(sources, file, module));
                imports.extend(found.map(|to| (to, name.to_owned())));
            }
        } else if let Some(module) = line.trim_start().strip_prefix("import ") {
            let module = module.split_whitespace().next().unwrap_or_default();
            imports.extend(python_file(sources, file, module).map(|to| (to, module.to_owned())));
        }
        rest = after;
    }
    imports
}

/// Returns the file of a module as a file names it: with one dot from its own folder, with two from the one above.
fn python_file(sources: &Sources, file: &str, module: &str) -> Option<String> {
    let name = module.trim_start_matches('.');
    let is_package = |folder: &Path| sources.contains_key(&folder.join("__init__.py").to_string_lossy().into_owned());
    let mut folders = Path::new(file).ancestors().skip(1);
    let folder = match module.len() - name.len() {
        0 => folders.find(|folder| !is_package(folder)),
        dots => folders.nth(dots - 1),
    }?;
    let path = folder.join(name.replace('.', "/"));
    let places = [path.with_extension("py"), path.join("__init__.py")];
    places.iter().map(|place| place.to_string_lossy().into_owned()).find(|place| sources.contains_key(place))
}

#[cfg(test)]
mod tests {
    use super::super::graph::circles;
    use super::super::sources::Sources;
    use super::arrows;

    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Sources = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        circles(&arrows(&sources)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn sees_imports_of_javascript() {
        let files = [
            ("page/a.js", "// The first.\nimport { b,\n  c } from './b/b.js';\nimport d from 'd';\n"),
            ("page/b/b.js", "import '../c.js';\nexport const b = 1;\n"),
            ("page/c.js", "export { a } from \"./a.js\";\n"),
            ("page/d.js", "import './a.js';\n"),
        ];
        let circle = "a circle of 3 arrows\n  page/a.js -> page/b/b.js: { b, c }\n  page/b/b.js -> page/c.js: \n  \
                      page/c.js -> page/a.js: { a }";
        assert_eq!(circles_of(&files), [circle]);
        assert_eq!(circles_of(&files[..2]), <[&str; 0]>::default());
    }

    #[test]
    fn sees_imports_of_python() {
        let files = [
            ("python/p/__init__.py", "from .a import (\n    x,\n    y,\n)\n"),
            ("python/p/a.py", "import json\nfrom . import b\n"),
            ("python/p/b.py", "def f():\n    from p.q.c import z as w\n"),
            ("python/p/q/__init__.py", ""),
            ("python/p/q/c.py", "from .. import x\n"),
        ];
        let circle = "a circle of 4 arrows\n  python/p/__init__.py -> python/p/a.py: x, y\n  \
                      python/p/a.py -> python/p/b.py: b\n  python/p/b.py -> python/p/q/c.py: z\n  \
                      python/p/q/c.py -> python/p/__init__.py: x";
        assert_eq!(circles_of(&files), [circle]);
        assert_eq!(circles_of(&files[..4]), <[&str; 0]>::default());
    }
}
