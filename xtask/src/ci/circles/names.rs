//! Finds the file that defines each name a crate's code uses.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::graph::Arrows;
use super::modules::Module;

/// The end of a path.
#[derive(Clone)]
enum Target {
    /// A module, by its place in the list.
    Module(usize),
    /// A name and the file that defines it.
    Item { file: String, name: String },
}

/// Returns the arrows between the files of a crate.
pub(super) fn arrows(modules: &[Module]) -> Arrows {
    let names = Names { modules, passed: RefCell::default(), open: RefCell::default() };
    let mut arrows = Arrows::default();
    for (at, module) in modules.iter().enumerate() {
        for path in &module.paths {
            names.add(at, path, &mut arrows);
        }
        for import in &module.uses {
            names.resolve(at, &import.path);
        }
    }
    let passed = names.passed.take();
    for (at, module) in modules.iter().enumerate() {
        for (index, import) in module.uses.iter().enumerate() {
            // A trait has an effect without a mention in the code. An import that children use may be for them alone.
            if import.name.is_some() && !import.is_public && !passed.contains(&(at, index)) {
                names.add(at, &import.path, &mut arrows);
            }
        }
    }
    arrows
}

/// Resolves paths in the modules of a crate.
struct Names<'a> {
    modules: &'a [Module],
    /// The imports through which another file has reached a name, by module and place.
    passed: RefCell<BTreeSet<(usize, usize)>>,
    /// The lookups that have begun: two imports may lead to each other.
    open: RefCell<Vec<(usize, String)>>,
}

impl Names<'_> {
    /// Adds the arrows of a path in a module's code. A path that ends at a module names nothing in it.
    fn add(&self, at: usize, path: &[String], arrows: &mut Arrows) {
        for target in self.resolve(at, path) {
            if let Target::Item { file, name } = target {
                arrows.add(&self.modules[at].file, &file, &name);
            }
        }
    }

    /// Returns the ends of a path in a module: none if it leads to another crate, and two where a module and a function
    /// share a name.
    fn resolve(&self, at: usize, path: &[String]) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let mut targets = match first.as_str() {
            "crate" => vec![Target::Module(0)],
            "self" => vec![Target::Module(at)],
            "super" => self.modules[at].parent.map(Target::Module).into_iter().collect(),
            name => self.lookup(at, name, at),
        };
        for segment in rest {
            targets = self.step(&targets, segment, at);
        }
        targets
    }

    /// Returns the ends of a path that goes on from `targets` by one segment.
    fn step(&self, targets: &[Target], segment: &str, from: usize) -> Vec<Target> {
        let module = targets.iter().find_map(|target| match target {
            Target::Module(module) => Some(*module),
            Target::Item { .. } => None,
        });
        // The segment after a type is its variant or function.
        let Some(module) = module else { return targets.to_vec() };
        if segment == "super" {
            return self.modules[module].parent.map(Target::Module).into_iter().collect();
        }
        let next = self.lookup(module, segment, from);
        if next.is_empty() {
            // A macro call defines the name.
            return vec![Target::Item { file: self.modules[module].file.clone(), name: segment.to_owned() }];
        }
        next
    }

    /// Returns what a name in a module is, for code of the module `from`.
    fn lookup(&self, at: usize, name: &str, from: usize) -> Vec<Target> {
        let module = &self.modules[at];
        let child = module.children.get(name).map(|child| Target::Module(*child));
        let item = module.items.get(name).map(|file| Target::Item { file: file.clone(), name: name.to_owned() });
        let mut targets: Vec<Target> = child.into_iter().chain(item).collect();
        let lookup = (at, name.to_owned());
        if self.open.borrow().contains(&lookup) {
            return targets;
        }
        self.open.borrow_mut().push(lookup);
        for (index, import) in module.uses.iter().enumerate() {
            let found = match &import.name {
                Some(named) if named == name => self.resolve(at, &import.path),
                // A glob gives way to names that the module has otherwise.
                None if targets.is_empty() => self.glob(at, &import.path, name),
                _ => Vec::new(),
            };
            if !found.is_empty() && self.modules[from].file != module.file {
                self.passed.borrow_mut().insert((at, index));
            }
            targets.extend(found);
        }
        self.open.borrow_mut().pop();
        targets
    }

    /// Returns what a name is in the module that a glob imports.
    fn glob(&self, at: usize, path: &[String], name: &str) -> Vec<Target> {
        let targets = self.resolve(at, path);
        let modules = targets.iter().filter_map(|target| match target {
            Target::Module(module) => Some(*module),
            Target::Item { .. } => None,
        });
        modules.flat_map(|module| self.lookup(module, name, at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::circles;
    use super::super::modules::read;
    use super::super::sources::Sources;
    use super::arrows;

    /// Returns the circles of a crate of these files and their code.
    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Sources = files.iter().map(|(name, text)| (format!("src/{name}"), (*text).to_owned())).collect();
        let modules = read(&sources, "src/lib.rs").expect("a crate");
        circles(&arrows(&modules)).iter().map(ToString::to_string).collect()
    }

    /// Crates with one circle each.
    const CIRCLES: &[(&str, &[(&str, &str)])] = &[
        (
            "through a re-export of the root",
            &[
                ("lib.rs", "mod a; mod b; pub use a::A;"),
                ("a.rs", "use crate::b::f; pub struct A; fn g() { f() }"),
                ("b.rs", "use crate::A; pub fn f(_: A) {}"),
            ],
        ),
        (
            "through a private import of the parent",
            &[
                ("lib.rs", "mod a; mod b; use a::A;"),
                ("a.rs", "pub struct A; fn g() { super::b::f() }"),
                ("b.rs", "pub fn f(_: super::A) {}"),
            ],
        ),
        (
            "through a glob",
            &[
                ("lib.rs", "mod a; mod b; pub use a::*;"),
                ("a.rs", "pub struct A(crate::b::B);"),
                ("b.rs", "use crate::*; pub struct B(Option<Box<A>>);"),
            ],
        ),
        (
            "through a renamed import",
            &[
                ("lib.rs", "mod a; mod b; pub(crate) use a::A as Other;"),
                ("a.rs", "use crate::b::B; pub struct A(B);"),
                ("b.rs", "use super::Other as Third; pub struct B(Box<Third>);"),
            ],
        ),
        (
            "in nested groups",
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", "use crate::{b::{self, inner::{B, C}}}; pub struct A;"),
                ("b.rs", "pub mod inner { use crate::a::A; pub struct B(A); pub struct C; }"),
            ],
        ),
        (
            "two modules up",
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a/mod.rs", "pub mod c;"),
                ("a/c.rs", "pub fn c() { super::super::b::b() }"),
                ("b.rs", "pub fn b() { crate::a::c::c() }"),
            ],
        ),
        (
            "through a re-export of a function that is called like its module",
            &[
                ("lib.rs", "mod a; mod b; pub use a::a;"),
                ("a.rs", "pub fn a() { crate::b::b() }"),
                ("b.rs", "pub fn b() { crate::a() }"),
            ],
        ),
        (
            "with the parent that defines a type",
            &[
                ("lib.rs", "mod a;"),
                ("a/mod.rs", "mod c; pub struct A; fn g() { c::c(A) }"),
                ("a/c.rs", "pub fn c(_: super::A) {}"),
            ],
        ),
        (
            "with a parent that uses a name that it re-exports",
            &[
                ("lib.rs", "mod a; pub use a::A; pub enum E { One(A) }"),
                ("a.rs", "pub struct A; fn g() { crate::E::One(A); }"),
            ],
        ),
        (
            "in a macro call",
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", "use crate::b::B; pub fn a(_: B) {}"),
                ("b.rs", "pub struct B; fn g() { assert!(1 > 0, \"{}\", [crate::a::a(B)]) }"),
            ],
        ),
        (
            "by the import of a trait",
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", "use crate::b::T; fn a() { 1.t() }"),
                ("b.rs", "pub trait T { fn t(&self) {} } pub use super::a; fn g() { a::a() }"),
            ],
        ),
        (
            "by a name that a macro makes",
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", "ids! { Id } fn g() { crate::b::b() }"),
                ("b.rs", "use crate::a::Id; pub fn b() { Id::new() }"),
            ],
        ),
    ];

    #[test]
    fn sees_circles() {
        for (title, files) in CIRCLES {
            assert_eq!(circles_of(files).len(), 1, "{title}: {:?}", circles_of(files));
        }
    }

    /// Crates without a circle.
    const NONE: &[(&str, &[(&str, &str)])] = &[
        (
            "files in a row",
            &[
                ("lib.rs", "mod a; mod b; mod c; pub use c::C;"),
                ("a.rs", "pub struct A;"),
                ("b.rs", "use crate::a::A; pub struct B(A);"),
                ("c.rs", "use crate::{a::A, b::B}; pub struct C(A, B);"),
            ],
        ),
        (
            "a sibling, reached through the parent",
            &[
                ("lib.rs", "mod a; mod b; pub use a::A; pub fn f() { b::b() }"),
                ("a.rs", "pub struct A;"),
                ("b.rs", "use super::A; pub fn b() -> A { A }"),
            ],
        ),
        (
            "an import that the parent holds for its children",
            &[
                ("lib.rs", "mod a; mod b; use b::B; pub struct L;"),
                ("a.rs", "pub fn a(_: super::B) {}"),
                ("b.rs", "pub struct B(crate::L);"),
            ],
        ),
        (
            "tests",
            &[
                ("lib.rs", "mod a; mod b; #[cfg(test)] mod c;"),
                ("a.rs", "pub struct A; #[cfg(test)] mod tests { use crate::b::B; fn t(_: B) {} }"),
                ("b.rs", "use crate::a::A; pub struct B(A);"),
            ],
        ),
        (
            "names of other crates",
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", "use std::b::B; use other::{b, B as C}; pub fn a() { b::b() }"),
                ("b.rs", "use crate::a::a; pub fn b() { a() }"),
            ],
        ),
        (
            "fields, methods and lifetimes in a macro call",
            &[
                ("lib.rs", "mod a; mod b; pub use b::b; pub struct L;"),
                ("a.rs", "use crate::b; pub fn a() { b() }"),
                ("b.rs", "pub fn b() { println!(\"a::a\", self.a, x.a(), y::<'a>::a) }"),
            ],
        ),
        (
            "a function that is called like its module",
            &[
                ("lib.rs", "mod a; pub fn a() { a::b() }"),
                ("a.rs", "mod inner { use crate::a::A; } pub struct A; pub fn b() {}"),
            ],
        ),
        ("a visibility", &[("lib.rs", "mod a; fn f() { a::a() }"), ("a.rs", "pub(in crate) fn a() {}")]),
    ];

    #[test]
    fn sees_none_where_none_is() {
        for (title, files) in NONE {
            assert_eq!(circles_of(files), <[&str; 0]>::default(), "{title}");
        }
    }

    #[test]
    fn lists_the_names_that_tie() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::{A, E};"),
            ("a.rs", "use crate::b; pub struct A(b::B); pub enum E { One }"),
            ("b.rs", "use crate::{A, E}; pub struct B; fn f(_: A) -> E { E::One }"),
        ];
        let circle = "a circle of 2 arrows\n  src/a.rs -> src/b.rs: B\n  src/b.rs -> src/a.rs: A, E";
        assert_eq!(circles_of(&files), [circle]);
    }
}
