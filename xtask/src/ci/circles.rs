//! Finds files of a crate that use each other in a circle.
//!
//! An arrow runs from a file to the file that defines a name in its code; names are resolved through imports and
//! re-exports. Methods, tests, scripts, and the declarations of modules are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::root;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, Meta, UseTree, Visibility};

/// The segments of a path. A module has the path from the root of its crate.
type Segments = Vec<String>;

/// The modules of a crate that have files of their own; inline modules are parts of them.
type Modules = BTreeMap<Segments, Module>;

#[derive(Default)]
struct Module {
    file: PathBuf,
    /// The names that it defines, and whether each is a trait: its import has an effect without a mention.
    items: BTreeMap<String, bool>,
    /// The paths of imports, and the names that they get here; none for all names of the path.
    imports: Vec<(Segments, Option<String>)>,
    /// The paths of private imports.
    private: BTreeSet<Segments>,
    /// The paths in its code.
    code: BTreeSet<Segments>,
    /// The modules that it declares in files.
    declared: Vec<String>,
    /// The number of inline modules around the code that is being read.
    depth: usize,
}

/// The end of a path.
enum Target {
    Module(Segments),
    Item { module: Segments, is_trait: bool },
    OtherCrate,
}

/// Fails and lists the files of every circle.
pub(super) fn check(metadata: &Metadata) -> Result<()> {
    let mut circles = Vec::new();
    for package in &metadata.packages {
        for start in ["src/lib.rs", "src/main.rs"].map(|file| package.folder.join(file)) {
            if start.is_file() {
                let mut modules = BTreeMap::new();
                read(&mut modules, Vec::new(), start, &|file| fs::read_to_string(file).ok())?;
                circles.extend(find(&modules));
            }
        }
    }
    if !circles.is_empty() {
        bail!("{} import circles:{}", circles.len(), circles.concat().replace(&format!("{}/", root().display()), ""));
    }
    Ok(())
}

/// Reads a module from its file, and the modules that it declares.
fn read(modules: &mut Modules, path: Segments, file: PathBuf, text: &impl Fn(&Path) -> Option<String>) -> Result<()> {
    let code = text(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let parsed = syn::parse_file(&code).with_context(|| format!("{} is not Rust", file.display()))?;
    let is_owner = ["lib.rs", "main.rs", "mod.rs"].iter().any(|name| file.ends_with(name));
    let folder = if is_owner { file.with_file_name("") } else { file.with_extension("") };
    let mut module = Module { file, ..Module::default() };
    module.visit_file(&parsed);
    for name in &module.declared {
        let plain = folder.join(name).with_extension("rs");
        let file = if text(&plain).is_some() { plain } else { folder.join(name).join("mod.rs") };
        read(modules, [&path[..], std::slice::from_ref(name)].concat(), file, text)?;
    }
    modules.insert(path, module);
    Ok(())
}

impl Module {
    /// Adds the imports of a `use`.
    fn import(&mut self, mut path: Segments, tree: &UseTree) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.import(path, &step.tree);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(path.clone(), tree)),
            UseTree::Glob(_) => self.imports.push((self.outside(path), None)),
            UseTree::Name(syn::UseName { ident, .. }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                if ident != "self" {
                    path.push(ident.to_string());
                }
                let name = match tree {
                    UseTree::Rename(renamed) => Some(renamed.rename.to_string()),
                    _ => path.last().cloned(),
                };
                self.imports.push((self.outside(path), name));
            }
        }
    }

    /// Adds the paths among the tokens of a macro call or an attribute.
    fn scan(&mut self, tokens: &str) {
        let unquoted = tokens.replace("'\"'", "").replace("\\\"", "").replace(" :: ", "::");
        // Every second part is the content of a string.
        for code in unquoted.split('"').step_by(2) {
            for path in code.split(|mark: char| !mark.is_alphanumeric() && mark != '_' && mark != ':') {
                let path = path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
                self.code.insert(self.outside(path));
            }
        }
    }

    /// Returns a path in an inline module as it would be outside of it.
    fn outside(&self, mut path: Segments) -> Segments {
        for _ in 0..self.depth {
            if path.first().is_some_and(|first| first == "super" || first == "self") {
                path.remove(0);
            }
        }
        path
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes) = match item {
            Item::Const(it) => (Some(&it.ident), &it.attrs),
            Item::Enum(it) => (Some(&it.ident), &it.attrs),
            Item::Fn(it) => (Some(&it.sig.ident), &it.attrs),
            Item::Impl(it) => (None, &it.attrs),
            Item::Macro(it) => (it.ident.as_ref(), &it.attrs),
            Item::Mod(it) => (None, &it.attrs),
            Item::Static(it) => (Some(&it.ident), &it.attrs),
            Item::Struct(it) => (Some(&it.ident), &it.attrs),
            Item::Trait(it) => (Some(&it.ident), &it.attrs),
            Item::Type(it) => (Some(&it.ident), &it.attrs),
            Item::Use(it) => (None, &it.attrs),
            _ => return visit::visit_item(self, item),
        };
        if attributes.iter().any(is_test) {
            return;
        }
        self.items.extend(name.map(|name| (name.to_string(), matches!(item, Item::Trait(_)))));
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_none() {
            self.declared.push(item.ident.to_string());
            return;
        }
        self.items.insert(item.ident.to_string(), false);
        self.depth += 1;
        visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let before = self.imports.len();
        self.import(Vec::new(), &item.tree);
        if matches!(item.vis, Visibility::Inherited) {
            self.private.extend(self.imports[before..].iter().map(|(path, _)| path.clone()));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.code.insert(self.outside(segments));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        visit::visit_macro(self, call);
        self.scan(&call.tokens.to_string());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.scan(&list.tokens.to_string());
        }
    }

    /// Skips `pub(in path)`, which uses nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

/// Returns whether code is compiled for unit tests alone.
fn is_test(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let condition = list.tokens.to_string();
    list.path.is_ident("cfg") && (condition == "test" || condition.replace(' ', "").starts_with("all(test,"))
}

/// Returns the end of a path in the code of a module, and nothing if it leads to another crate.
fn resolve(modules: &Modules, at: &[String], path: &[String], depth: usize) -> Option<Target> {
    let mut module = at.to_vec();
    let mut is_ours = false;
    for (index, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => module.clear(),
            "self" => {}
            "super" => drop(module.pop()?),
            name => match lookup(modules, &module, name, index + 1 == path.len(), depth) {
                Some(Target::Module(inner)) => module = inner,
                // The segment after a type is its variant or function.
                Some(item) => return Some(item),
                // A macro defines the name.
                None => return is_ours.then_some(Target::Item { module, is_trait: false }),
            },
        }
        is_ours = true;
    }
    (!path.is_empty()).then_some(Target::Module(module))
}

/// Returns the meaning of a name in a module. The last name of a path is rather an item than a module.
fn lookup(modules: &Modules, at: &[String], name: &str, is_last: bool, depth: usize) -> Option<Target> {
    // Two imports may lead to each other.
    if depth > 9 {
        return None;
    }
    let module = modules.get(at)?;
    let child = || {
        let path = [at, &[name.to_owned()]].concat();
        modules.contains_key(&path).then_some(Target::Module(path))
    };
    let item = || Some(Target::Item { module: at.to_vec(), is_trait: *module.items.get(name)? });
    let named = module.imports.iter().filter(|(_, known)| known.as_deref() == Some(name));
    let mut named = named.map(|(path, _)| resolve(modules, at, path, depth + 1).unwrap_or(Target::OtherCrate));
    let globs = module.imports.iter().filter(|(_, known)| known.is_none());
    let mut globs = globs.filter_map(|(path, _)| match resolve(modules, at, path, depth + 1)? {
        Target::Module(from) if from != at => lookup(modules, &from, name, is_last, depth + 1),
        _ => None,
    });
    let first = if is_last { None } else { child() };
    first.or_else(item).or_else(|| named.next()).or_else(child).or_else(|| globs.next())
}

/// Returns the files that a file uses, directly or through others.
fn reached<'m>(arrows: &BTreeMap<&'m Path, BTreeMap<&'m Path, String>>, from: &'m Path) -> BTreeSet<&'m Path> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(file) = open.pop() {
        open.extend(arrows.get(file).into_iter().flat_map(BTreeMap::keys).filter(|to| reached.insert(**to)));
    }
    reached
}

/// Returns a line `file -> file …` for each circle.
fn find(modules: &Modules) -> Vec<String> {
    let mut arrows: BTreeMap<&Path, BTreeMap<&Path, String>> = BTreeMap::new();
    for (at, module) in modules {
        let traits = module.private.iter().map(|path| (path, true));
        for (path, is_import) in module.code.iter().map(|path| (path, false)).chain(traits) {
            if let Some(Target::Item { module: to, is_trait }) = resolve(modules, at, path, 0)
                && to != *at
                && (is_trait || !is_import)
            {
                arrows.entry(&module.file).or_default().insert(&modules[&to].file, path.join("::"));
            }
        }
    }
    let reached: BTreeMap<&Path, BTreeSet<&Path>> = arrows.keys().map(|from| (*from, reached(&arrows, from))).collect();
    let mut circles = BTreeMap::new();
    for (from, names) in &arrows {
        let is_tied = |to: &Path| reached[from].contains(to) && reached.get(to).is_some_and(|back| back.contains(from));
        for (to, name) in names.iter().filter(|(to, _)| is_tied(to)) {
            let circle: Vec<_> = reached[from].iter().filter(|file| is_tied(file)).collect();
            let _ = write!(
                circles.entry(circle).or_insert_with(String::new),
                "\n  {} -> {}: {name}",
                from.display(),
                to.display()
            );
        }
    }
    circles.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::{Modules, Path, find, read};

    fn circles(files: &[(&str, &str)]) -> usize {
        let mut modules = Modules::new();
        let text =
            |file: &Path| files.iter().find(|(name, _)| file == Path::new(name)).map(|(_, text)| (*text).to_owned());
        read(&mut modules, Vec::new(), "lib.rs".into(), &text).unwrap();
        find(&modules).len()
    }

    #[test]
    fn finds_circles_through_imports_and_re_exports() {
        for (root, a, b) in [
            (
                "mod a; mod b; pub use a::A;",
                "use crate::b::f; pub struct A; fn g() { f() }",
                "use crate::A; pub fn f(_: A) {}",
            ),
            ("mod a; mod b; use a::A;", "pub struct A; fn g() { super::b::f() }", "pub fn f(_: super::A) {}"),
            ("mod a; mod b; pub use a::*;", "pub struct A(crate::b::B);", "use crate::*; pub struct B(Box<A>);"),
            ("mod a; mod b; use a::A as C;", "pub struct A(crate::b::B);", "use super::C as D; pub struct B(Box<D>);"),
            (
                "mod a; mod b;",
                "use crate::{b::{self, c::B}}; struct A(B);",
                "pub mod c { use crate::a::A; pub struct B(A); }",
            ),
            ("mod a; mod b; pub use a::a;", "pub fn a() { crate::b::b() }", "pub fn b() { crate::a() }"),
            ("mod a; mod b;", "pub trait A { fn b(&self) { crate::b::b() } }", "use crate::a::A; pub fn b() { 1.b() }"),
            (
                "mod a; mod b;",
                "pub fn a() { vec![crate::b::b()] }",
                "use super::a; pub fn b() { print!(\"{}\", a::a()) }",
            ),
        ] {
            assert_eq!(circles(&[("lib.rs", root), ("a.rs", a), ("b.rs", b)]), 1, "{a} {b}");
        }
    }

    #[test]
    fn finds_no_circle_in_declarations_tests_and_one_way_use() {
        for (root, a, b) in [
            ("mod a; mod b; pub use a::A; pub use b::B;", "pub struct A;", "use crate::A; pub struct B(A);"),
            (
                "mod a; mod b;",
                "pub fn a() {}\n#[cfg(test)]\nmod tests { use crate::b; fn t() { b::b() } }",
                "pub fn b() { crate::a::a() }",
            ),
            (
                "mod a; mod b; pub struct R;",
                "use crate::R; pub struct A(R);",
                "use std::fs as a; pub struct B(a::File);",
            ),
        ] {
            assert_eq!(circles(&[("lib.rs", root), ("a.rs", a), ("b.rs", b)]), 0, "{a} {b}");
        }
    }
}
