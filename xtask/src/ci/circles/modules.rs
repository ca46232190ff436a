//! Reads a crate: its modules, the names they define and import, and the paths in their code.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use syn::buffer::{Cursor, TokenBuffer};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, UseTree, Visibility};

use super::sources::Sources;

/// A module of a crate, in a file of its own or inside its parent's.
#[derive(Default)]
pub(super) struct Module {
    /// The file with its code.
    pub(super) file: String,
    /// The module around it, by its place in the list; the crate's root has none.
    pub(super) parent: Option<usize>,
    /// The modules that it declares, by their place in the list.
    pub(super) children: BTreeMap<String, usize>,
    /// The names that it defines, each with the file: an exported macro is defined in the crate's root from another.
    pub(super) items: BTreeMap<String, String>,
    /// The names that it imports.
    pub(super) uses: Vec<Use>,
    /// The paths in its code.
    pub(super) paths: BTreeSet<Vec<String>>,
}

/// One name that a `use` brings in.
pub(super) struct Use {
    /// The path, segment by segment.
    pub(super) path: Vec<String>,
    /// The name in this module; none for all names of the path.
    pub(super) name: Option<String>,
    /// Whether it is a re-export.
    pub(super) is_public: bool,
}

/// Reads the crate that begins with a file. The first module is its root.
pub(super) fn read(sources: &Sources, start: &str) -> Result<Vec<Module>> {
    let mut reader = Reader { sources, modules: Vec::new() };
    let folder = start.rsplit_once('/').map_or("", |(folder, _)| folder);
    reader.file(start, None, folder)?;
    Ok(reader.modules)
}

struct Reader<'a> {
    sources: &'a Sources,
    modules: Vec<Module>,
}

impl Reader<'_> {
    /// Reads a file, whose modules are in `folder`, and returns the place of its module.
    fn file(&mut self, file: &str, parent: Option<usize>, folder: &str) -> Result<usize> {
        let text = &self.sources[file];
        let parsed = syn::parse_file(text).with_context(|| format!("{file} is not Rust"))?;
        self.module(file, parent, folder, &parsed.items)
    }

    fn module(&mut self, file: &str, parent: Option<usize>, folder: &str, items: &[Item]) -> Result<usize> {
        let at = self.modules.len();
        self.modules.push(Module { file: file.to_owned(), parent, ..Module::default() });
        for item in items.iter().filter(|item| !is_test(attributes(item))) {
            if let Item::Mod(declared) = item {
                let name = plain(&declared.ident);
                let folder = format!("{folder}/{name}");
                let child = if let Some((_, items)) = &declared.content {
                    self.module(file, Some(at), &folder, items)?
                } else {
                    let places = [format!("{folder}.rs"), format!("{folder}/mod.rs")];
                    let place = places.iter().find(|place| self.sources.contains_key(*place));
                    let place = place.with_context(|| format!("{file} declares {name}, which has no file"))?;
                    self.file(place, Some(at), &folder)?
                };
                self.modules[at].children.insert(name, child);
                continue;
            }
            if let Some(name) = name(item) {
                // Any module reaches an exported macro as if the root defined it.
                let is_exported = attributes(item).iter().any(|attribute| attribute.path().is_ident("macro_export"));
                let owner = if is_exported { 0 } else { at };
                self.modules[owner].items.insert(name, file.to_owned());
            }
            Code(&mut self.modules[at]).visit_item(item);
        }
        Ok(at)
    }
}

/// Collects the imports and paths of a module's code.
struct Code<'a>(&'a mut Module);

impl<'ast> Visit<'ast> for Code<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_public = !matches!(item.vis, Visibility::Inherited);
        flatten(&item.tree, &mut Vec::new(), is_public, &mut self.0.uses);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.paths.insert(path.segments.iter().map(|segment| plain(&segment.ident)).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        visit::visit_macro(self, call);
        scan(TokenBuffer::new2(call.tokens.clone()).begin(), &mut self.0.paths);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            scan(TokenBuffer::new2(list.tokens.clone()).begin(), &mut self.0.paths);
        }
    }

    /// Passes over `pub(in path)`, which uses nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

/// Writes each name of an import as a path of its own.
fn flatten(tree: &UseTree, path: &mut Vec<String>, is_public: bool, uses: &mut Vec<Use>) {
    match tree {
        UseTree::Path(step) => {
            path.push(plain(&step.ident));
            flatten(&step.tree, path, is_public, uses);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, is_public, uses)),
        UseTree::Glob(_) => uses.push(Use { path: path.clone(), name: None, is_public }),
        UseTree::Name(syn::UseName { ident, .. }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
            let mut path = path.clone();
            // `use a::{self}` imports `a`.
            if path.is_empty() || ident != "self" {
                path.push(plain(ident));
            }
            let name = match tree {
                UseTree::Rename(renamed) => Some(plain(&renamed.rename)),
                _ => path.last().cloned(),
            };
            uses.push(Use { path, name, is_public });
        }
    }
}

/// Collects the paths among the tokens of a macro call or an attribute, where any grammar may be.
fn scan(mut rest: Cursor<'_>, paths: &mut BTreeSet<Vec<String>>) {
    // The punctuation in front: a field follows `.`, a lifetime `'`, the rest of a path with generics `::`.
    let mut before = String::new();
    while !rest.eof() {
        if let Some((ident, mut after)) = rest.ident() {
            let mut path = vec![plain(&ident)];
            while let Some((next, end)) = separator(after).and_then(Cursor::ident) {
                path.push(plain(&next));
                after = end;
            }
            if before != "." && !before.ends_with('\'') && !before.ends_with("::") {
                paths.insert(path);
            }
            before.clear();
            rest = after;
        } else if let Some((inside, _, _, after)) = rest.any_group() {
            scan(inside, paths);
            before.clear();
            rest = after;
        } else if let Some((mark, after)) = rest.punct() {
            before.push(mark.as_char());
            rest = after;
        } else {
            before.clear();
            rest = rest.token_tree().map_or(Cursor::empty(), |(_, after)| after);
        }
    }
}

/// Returns the tokens after a `::`.
fn separator(rest: Cursor<'_>) -> Option<Cursor<'_>> {
    let (first, rest) = rest.punct()?;
    let (second, rest) = rest.punct()?;
    (first.as_char() == ':' && second.as_char() == ':').then_some(rest)
}

/// Returns whether an item is compiled for unit tests alone.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string().replace(' ', "");
            condition == "test" || condition.starts_with("all(test,")
        }
        _ => false,
    })
}

/// Returns the name that an item defines.
fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(plain(ident))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns a name without the mark of a raw one.
fn plain(ident: &syn::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}
