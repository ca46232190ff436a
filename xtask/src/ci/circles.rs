//! Finds files of a crate that use each other in a circle.
//!
//! An arrow runs from a file to the file that defines a name in its code, in its private imports or in the tokens of its
//! macro calls; names are resolved through imports and re-exports. Methods that are called on a value, attributes, inline
//! modules, tests, and the declarations of modules are not seen, nor are names that a macro defines. A method's name alone does
//! not say whose it is: of the circles that it would add, nearly all are of names of the standard library, such as `lines`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::root;
use syn::buffer::{Cursor, TokenBuffer};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, Meta, UseTree, Visibility};

/// The segments of a path. A module has the path from the root of its crate.
type Segments = Vec<String>;

/// The modules of a crate that have files of their own.
type Modules = BTreeMap<Segments, Module>;

#[derive(Default)]
struct Module {
    file: PathBuf,
    /// The names that it defines.
    items: BTreeSet<String>,
    /// The paths of imports, and the names that they get here; none for all names of the path.
    imports: Vec<(Segments, Option<String>)>,
    /// The paths in its code and of its private imports.
    uses: BTreeSet<Segments>,
    /// The modules that it declares in files.
    declared: Vec<String>,
}

/// Fails and lists the arrows of every circle.
pub(super) fn check(metadata: &Metadata) -> Result<()> {
    let mut arrows = Vec::new();
    for package in &metadata.packages {
        for start in ["src/lib.rs", "src/main.rs"].map(|file| package.folder.join(file)) {
            if start.is_file() {
                let mut modules = BTreeMap::new();
                read(&mut modules, Vec::new(), start, &|file| fs::read_to_string(file).ok())?;
                arrows.extend(in_circles(&modules));
            }
        }
    }
    let list = arrows.concat().replace(&format!("{}/", root().display()), "");
    ensure!(arrows.is_empty(), "files use each other in a circle:{list}");
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
            UseTree::Glob(_) => self.imports.push((path, None)),
            UseTree::Name(syn::UseName { ident, .. }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                if ident != "self" {
                    path.push(ident.to_string());
                }
                let name = match tree {
                    UseTree::Rename(renamed) => Some(renamed.rename.to_string()),
                    _ => path.last().cloned(),
                };
                self.imports.push((path, name));
            }
        }
    }

    /// Adds the paths of several segments in the tokens of a macro call. A name alone is a variable, or an import that is
    /// known.
    fn tokens(&mut self, mut at: Cursor<'_>) {
        while !at.eof() {
            if let Some((name, after)) = at.ident() {
                let mut path = vec![name.to_string()];
                at = after;
                while let Some((name, after)) = mark(at, ':').and_then(|at| mark(at, ':')?.ident()) {
                    path.push(name.to_string());
                    at = after;
                }
                if path.len() > 1 {
                    self.uses.insert(path);
                }
            } else if let Some((inside, .., after)) = at.any_group() {
                self.tokens(inside);
                at = after;
            } else if let Some((_, after)) = at.token_tree() {
                at = after;
            }
        }
    }
}

/// Returns the tokens after a mark.
fn mark(at: Cursor<'_>, mark: char) -> Option<Cursor<'_>> {
    at.punct().filter(|(found, _)| found.as_char() == mark).map(|(_, after)| after)
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes) = match item {
            Item::Const(syn::ItemConst { ident, attrs, .. })
            | Item::Enum(syn::ItemEnum { ident, attrs, .. })
            | Item::Mod(syn::ItemMod { ident, attrs, .. })
            | Item::Static(syn::ItemStatic { ident, attrs, .. })
            | Item::Struct(syn::ItemStruct { ident, attrs, .. })
            | Item::Trait(syn::ItemTrait { ident, attrs, .. })
            | Item::Type(syn::ItemType { ident, attrs, .. }) => (Some(ident), attrs),
            Item::Fn(it) => (Some(&it.sig.ident), &it.attrs),
            Item::Macro(it) => (it.ident.as_ref(), &it.attrs),
            Item::Impl(syn::ItemImpl { attrs, .. }) | Item::Use(ItemUse { attrs, .. }) => (None, attrs),
            _ => return visit::visit_item(self, item),
        };
        if attributes.iter().any(is_test) {
            return;
        }
        match item {
            Item::Mod(module) if module.content.is_none() => self.declared.push(module.ident.to_string()),
            _ => self.items.extend(name.map(ToString::to_string)),
        }
        // The paths in an inline module would begin at another place.
        if !matches!(item, Item::Mod(_)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let before = self.imports.len();
        self.import(Vec::new(), &item.tree);
        if matches!(item.vis, Visibility::Inherited) {
            self.uses.extend(self.imports[before..].iter().map(|(path, _)| path.clone()));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.uses.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.visit_path(&call.path);
        self.tokens(TokenBuffer::new2(call.tokens.clone()).begin());
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

/// Returns the module to which a path in a module leads, and whether the path ends at an item of it; nothing if it leads
/// to another crate.
fn resolve(modules: &Modules, at: &[String], path: &[String], depth: usize) -> Option<(Segments, bool)> {
    let mut module = at.to_vec();
    for (index, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => module.clear(),
            "self" => {}
            "super" => drop(module.pop()?),
            name => match lookup(modules, &module, name, index + 1 == path.len(), depth)? {
                (inner, false) => module = inner,
                // The segment after a type is its variant or function.
                item => return Some(item),
            },
        }
    }
    Some((module, false))
}

/// Returns the meaning of a name in a module. The last name of a path is rather an item than a module.
fn lookup(modules: &Modules, at: &[String], name: &str, is_last: bool, depth: usize) -> Option<(Segments, bool)> {
    // Two imports may lead to each other.
    let module = modules.get(at).filter(|_| depth < 10)?;
    let child = Some(([at, &[name.to_owned()]].concat(), false)).filter(|(path, _)| modules.contains_key(path));
    if child.is_some() && !is_last {
        return child;
    }
    if module.items.contains(name) {
        return Some((at.to_vec(), true));
    }
    if let Some((path, _)) = module.imports.iter().find(|(_, known)| known.as_deref() == Some(name)) {
        return resolve(modules, at, path, depth + 1);
    }
    let globs = module.imports.iter().filter(|(_, known)| known.is_none());
    let mut globs = globs.filter_map(|(path, _)| resolve(modules, at, path, depth + 1));
    child.or_else(|| globs.find_map(|(from, _)| lookup(modules, &from, name, is_last, depth + 1)))
}

/// Returns a line `file -> file: path` for each arrow that is part of a circle.
fn in_circles(modules: &Modules) -> Vec<String> {
    let mut arrows: BTreeMap<&Path, BTreeMap<&Path, String>> = BTreeMap::new();
    for (at, module) in modules {
        for path in &module.uses {
            if let Some((to, true)) = resolve(modules, at, path, 0).filter(|(to, _)| to != at) {
                arrows.entry(&module.file).or_default().insert(&modules[&to].file, path.join("::"));
            }
        }
    }
    let leads = |from: &Path, back: &Path| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            open.extend(arrows.get(file).into_iter().flat_map(BTreeMap::keys).filter(|to| seen.insert(**to)));
        }
        seen.contains(back)
    };
    let all = arrows.iter().flat_map(|(from, names)| names.iter().map(move |(to, name)| (from, to, name)));
    let lines = all.filter(|(from, to, _)| leads(to, from));
    lines.map(|(from, to, name)| format!("\n  {} -> {}: {name}", from.display(), to.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Modules, Path, in_circles, read};

    /// Returns the number of arrows in circles between three files.
    fn arrows(root: &str, a: &str, b: &str) -> usize {
        let mut modules = Modules::new();
        let files = [("lib.rs", root), ("a.rs", a), ("b.rs", b)];
        let text = |file: &Path| files.iter().find(|(name, _)| file == Path::new(name)).map(|it| it.1.to_owned());
        read(&mut modules, Vec::new(), "lib.rs".into(), &text).unwrap();
        in_circles(&modules).len()
    }

    #[test]
    fn finds_circles_through_imports_and_re_exports() {
        let both = "mod a; mod b;";
        for (root, a, b) in [
            ("pub use a::A;", "use crate::b::f; pub struct A; fn g() { f() }", "use crate::A; pub fn f(_: A) {}"),
            ("use a::A;", "pub struct A; fn g() { super::b::f() }", "pub fn f(_: super::A) {}"),
            ("pub use a::*;", "pub struct A(crate::b::B);", "use crate::*; pub struct B(Box<A>);"),
            ("use a::A as C;", "pub struct A(crate::b::B);", "use super::C as D; pub struct B(Box<D>);"),
            ("", "use crate::{b::{self, B}}; struct A(B);", "use crate::a::A; pub struct B(A);"),
            ("pub use a::a;", "pub fn a() { crate::b::b() }", "pub fn b() { crate::a() }"),
            ("", "pub trait A { fn b(&self) { crate::b::b() } }", "use crate::a::A; pub fn b() { 1.b() }"),
            ("", "fn f() { assert!(crate::b::b()) } pub fn a() {}", "pub fn b() { super::a::a() }"),
            ("", "fn f(x: u8) { html! { p { (crate::b::B) } } } pub fn a() {}", "pub const B: u8 = super::a::a();"),
            ("", "use super::b; pub fn a() { b::b() }", "use super::a::a; pub fn b() { print!(\"{}\", a()) }"),
        ] {
            assert_eq!(arrows(&format!("{both} {root}"), a, b), 2, "{root} {a} {b}");
        }
    }

    #[test]
    fn finds_no_circle_in_declarations_tests_and_one_way_use() {
        let test = "pub fn a() {}\n#[cfg(test)]\nmod tests { use crate::b; fn t() { b::b() } }";
        for (root, a, b) in [
            ("mod a; mod b; pub use a::A; pub use b::B;", "pub struct A;", "use crate::A; pub struct B(A);"),
            ("mod a; mod b;", test, "pub fn b() { crate::a::a() }"),
            (
                "mod a; mod b; pub struct R;",
                "use crate::R; pub struct A(R);",
                "use std::fs as a; pub struct B(a::File);",
            ),
        ] {
            assert_eq!(arrows(root, a, b), 0, "{root} {a} {b}");
        }
    }
}
