//! Walks the syntax tree of one file and notes what the rules need.

use std::collections::{BTreeSet, HashSet};

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, Item as SynItem, UseTree};

use super::declarations::{self, File};
use super::facts::{Facts, Folder, Item, Sighting, Submodule};
use super::tokens::{applied, conditions, declares_tools, is_name, names_in, path_starts};
use super::{BlindSpot, Position, Supplied, Table, Unparsed, branches, function, supply, tables};
use crate::allow;
use crate::cfg::{OPAQUE, only_in_tests};

/// Reads the text of a file. `file` is its path for people, `crates` are the names of crates that
/// matter.
pub(super) fn read(text: &str, file: &str, crates: &HashSet<&str>) -> Facts {
    let facts = match syn::parse_file(text) {
        Ok(tree) => {
            let mut reader = Reader::new(File(file), crates);
            for allow in allow::comments(text, file, allow::Language::Rust) {
                reader.note(Item::Allow(allow));
            }
            reader.under(&tree.attrs, |reader| visit::visit_file(reader, &tree));
            reader.facts
        }
        Err(error) => Facts {
            unparsed: Some(Unparsed {
                position: File(file).position(error.span()),
                reason: error.to_string(),
            }),
            ..Facts::default()
        },
    };
    // The parser keeps the text of every file until it is told that no span is used any more.
    proc_macro2::extra::invalidate_current_thread_spans();
    facts
}

/// Reads one `mod name;`, cut out of a file that is not parsed otherwise.
pub(super) fn read_module(text: &str, name: Position) -> Option<Submodule> {
    let module: syn::ItemMod = syn::parse_str(text).ok()?;
    let crates = HashSet::new();
    let mut reader = Reader::new(File(&name.file), &crates);
    reader.under(&module.attrs, |reader| reader.visit_module(&module));
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut submodule = reader.facts.submodules.pop()?;
    submodule.name.position = name;
    Some(submodule)
}

struct Reader<'a> {
    file: File<'a>,
    crates: &'a HashSet<&'a str>,
    module: Vec<String>,
    folders: Vec<Folder>,
    cfg: Vec<String>,
    facts: Facts,
}

impl<'a> Reader<'a> {
    fn new(file: File<'a>, crates: &'a HashSet<&'a str>) -> Self {
        Self {
            file,
            crates,
            module: Vec::new(),
            folders: Vec::new(),
            cfg: Vec::new(),
            facts: Facts::default(),
        }
    }

    /// Runs `walk` with the conditions among `attributes` added.
    fn under(&mut self, attributes: &[Attribute], walk: impl FnOnce(&mut Self)) {
        let outer = self.cfg.len();
        self.cfg.extend(conditions(attributes));
        walk(self);
        self.cfg.truncate(outer);
    }

    fn note(&mut self, item: Item) {
        let sighting = Sighting {
            item,
            module: self.module.clone(),
            cfg: self.cfg.clone(),
        };
        self.facts.sightings.push(sighting);
    }

    fn note_table(&mut self, table: Option<Table>) {
        if let Some(table) = table {
            self.note(Item::Table(table));
        }
    }

    fn note_blind_spot(&mut self, span: Span, reason: String) {
        let position: Position = self.file.position(span);
        self.note(Item::BlindSpot(BlindSpot { position, reason }));
    }

    fn visit_module(&mut self, module: &syn::ItemMod) {
        let name = module.ident.unraw().to_string();
        let paths: Vec<(Vec<String>, String)> = module
            .attrs
            .iter()
            .flat_map(applied)
            .filter(|attribute| attribute.name == "path")
            .filter_map(|attribute| {
                let (path, _) = super::tokens::string(&attribute.arguments)?;
                Some((attribute.cfg, path))
            })
            .collect();
        if module.content.is_none() {
            self.facts.submodules.push(Submodule {
                name: self.file.name(name, module.ident.span()),
                included: false,
                module: self.module.clone(),
                cfg: self.cfg.clone(),
                folders: self.folders.clone(),
                paths,
            });
            return;
        }
        let unconditional = paths.into_iter().find(|(cfg, _)| cfg.is_empty());
        self.folders.push(match unconditional {
            Some((_, path)) => Folder::Path(path),
            None => Folder::Named(name.clone()),
        });
        self.module.push(name);
        visit::visit_item_mod(self, module);
        self.module.pop();
        self.folders.pop();
    }

    /// The items of another file. Its path starts at the folder of this one.
    fn include(&mut self, call: &syn::Macro) {
        let parts = super::tokens::split_commas(call.tokens.clone());
        let path = match parts.as_slice() {
            [path] => super::tokens::string(path),
            _ => None,
        };
        let Some((path, span)) = path else {
            let span = call.path.segments[0].ident.span();
            let reason = "an included file with a computed path is not read".to_owned();
            self.note_blind_spot(span, reason);
            return;
        };
        self.facts.submodules.push(Submodule {
            name: self.file.name(path.clone(), span),
            included: true,
            module: self.module.clone(),
            cfg: self.cfg.clone(),
            folders: Vec::new(),
            paths: vec![(Vec::new(), path)],
        });
    }

    /// The items among which a macro chooses by conditions. Answers whether this is such a macro.
    fn visit_branches(&mut self, call: &syn::Macro) -> bool {
        let name = call.path.segments.last();
        let name = name.map(|segment| segment.ident.to_string());
        let Some(branches) = name.and_then(|name| branches::of(&name, &call.tokens)) else {
            return false;
        };
        let read = branches.into_iter().map(|branch| {
            let file: syn::File = syn::parse2(branch.items).ok()?;
            Some((branch.cfg, file))
        });
        let Some(read) = read.collect::<Option<Vec<_>>>() else {
            return false;
        };
        for (cfg, file) in read {
            let outer = self.cfg.len();
            self.cfg.extend(cfg);
            visit::visit_file(self, &file);
            self.cfg.truncate(outer);
        }
        true
    }

    /// Modules with files of their own among the arguments of a macro, or in what it writes: most macros
    /// that take items write them again, under a condition.
    fn modules_inside(&mut self, name: &str, tokens: &TokenStream) {
        self.cfg.push(format!("{OPAQUE}{name}"));
        self.modules_among(tokens);
        self.cfg.pop();
    }

    fn modules_among(&mut self, tokens: &TokenStream) {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            match &trees[at..] {
                [TokenTree::Ident(word), TokenTree::Ident(name), next, ..] if word == "mod" => {
                    let item = &trees[item_start(&trees, at)..at + 3];
                    let tokens: TokenStream = item.iter().cloned().collect();
                    match (syn::parse2::<syn::ItemMod>(tokens), next) {
                        (Ok(module), TokenTree::Punct(_)) => {
                            self.visit_item(&SynItem::Mod(module));
                        }
                        (_, TokenTree::Group(group)) => {
                            let name = name.unraw().to_string();
                            self.folders.push(Folder::Named(name.clone()));
                            self.module.push(name);
                            self.modules_among(&group.stream());
                            self.module.pop();
                            self.folders.pop();
                        }
                        _ => {}
                    }
                    at += 3;
                    continue;
                }
                [TokenTree::Group(group), ..] => self.modules_among(&group.stream()),
                _ => {}
            }
            at += 1;
        }
    }

    fn supply(&mut self, supplied: Supplied) {
        if !only_in_tests(&self.cfg) {
            self.facts.supplied.insert(supplied);
        }
    }

    fn visit_item_position_macro(&mut self, call: &syn::Macro, defined: Option<&syn::Ident>) {
        let Some(name) = call
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
        else {
            return;
        };
        match (name.as_str(), defined) {
            ("macro_rules", Some(defined)) => {
                self.modules_inside(&defined.to_string(), &call.tokens);
                if declares_tools(&call.tokens).is_some() {
                    let reason = format!("macro `{defined}` writes tools or toolsets");
                    self.note_blind_spot(defined.span(), reason);
                }
            }
            ("include", _) => self.include(call),
            ("compile_error", _) => {
                let position = self.file.position(call.path.segments[0].ident.span());
                self.note(Item::Impossible(position));
            }
            ("toolset" | "reserved_tools" | "pack" | "link" | "tools", _) => {}
            (name, _) => {
                self.modules_inside(name, &call.tokens);
                if let Some(span) = declares_tools(&call.tokens) {
                    self.note_blind_spot(span, format!("tools inside a call of macro `{name}`"));
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast SynItem) {
        self.under(attributes_of(item), |reader| match item {
            SynItem::Mod(module) => reader.visit_module(module),
            SynItem::Verbatim(tokens) => {
                if let Some(span) = declares_tools(tokens) {
                    let reason = "tools inside an item of unknown syntax".to_owned();
                    reader.note_blind_spot(span, reason);
                }
            }
            item => visit::visit_item(reader, item),
        });
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        for attribute in function.attrs.iter().flat_map(applied) {
            if let Some(tool) = function::tool(&attribute, function, self.file) {
                let outer = self.cfg.len();
                self.cfg.extend(attribute.cfg);
                self.note(Item::Tool(Box::new(tool)));
                self.cfg.truncate(outer);
            }
        }
        if let Some(check) = supply::check_function(function, self.file) {
            self.note(Item::Check(check));
        }
        visit::visit_item_fn(self, function);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if self.visit_branches(&item.mac) {
            return;
        }
        self.visit_item_position_macro(&item.mac, item.ident.as_ref());
        visit::visit_item_macro(self, item);
    }

    fn visit_stmt_macro(&mut self, statement: &'ast syn::StmtMacro) {
        self.under(&statement.attrs, |reader| {
            visit::visit_stmt_macro(reader, statement);
        });
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let Some(name) = call.path.segments.last() else {
            return;
        };
        let span = name.ident.span();
        let name = name.ident.to_string();
        for item in declarations::macro_call(&name, span, call, self.file) {
            self.note(item);
        }
        path_starts(call.tokens.clone(), self.crates, &mut self.facts.crates);
        // What a declaration says is no mention of it.
        if !matches!(name.as_str(), "toolset" | "reserved_tools") {
            names_in(call.tokens.clone(), &mut self.facts.strings);
            supply::in_tokens(call.tokens.clone(), &mut |supplied| self.supply(supplied));
        }
        visit::visit_macro(self, call);
    }

    /// What stands in attributes is read where it matters; a path into a crate links it.
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if !attribute.path().is_ident("doc") {
            self.visit_path(attribute.path());
        }
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        let text = text.value();
        if is_name(&text) {
            self.facts.strings.insert(text);
        }
    }

    fn visit_expr_array(&mut self, array: &'ast syn::ExprArray) {
        self.note_table(tables::of_array(array, self.file));
        visit::visit_expr_array(self, array);
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        self.note_table(tables::of_match(choice, self.file));
        visit::visit_expr_match(self, choice);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        self.note_table(tables::of_call(call, self.file));
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let Some(supplied) = supply::of_method(call) {
            self.supply(supplied);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(supplied) = supply::of_path(path) {
            self.supply(supplied);
        }
        if let Some(first) = path.segments.first()
            && path.segments.len() > 1
            && let Some(name) = self.crates.iter().find(|name| first.ident == **name)
        {
            self.facts.crates.insert((*name).to_owned());
        }
        visit::visit_path(self, path);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.facts.crates.insert(item.ident.unraw().to_string());
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        use_starts(&item.tree, &mut self.facts.crates);
        visit::visit_item_use(self, item);
    }

    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        self.under(&method.attrs, |reader| {
            visit::visit_impl_item_fn(reader, method);
        });
    }

    fn visit_trait_item_fn(&mut self, method: &'ast syn::TraitItemFn) {
        self.under(&method.attrs, |reader| {
            visit::visit_trait_item_fn(reader, method);
        });
    }

    fn visit_expr_block(&mut self, block: &'ast syn::ExprBlock) {
        self.under(&block.attrs, |reader| {
            visit::visit_expr_block(reader, block);
        });
    }

    fn visit_use_tree(&mut self, tree: &'ast UseTree) {
        match tree {
            UseTree::Rename(rename) if rename.ident == "tool" => {
                self.facts.aliases.push(rename.rename.unraw().to_string());
            }
            tree => visit::visit_use_tree(self, tree),
        }
    }
}

/// Where an item begins whose keyword is at this place: before its visibility and its attributes.
fn item_start(trees: &[TokenTree], mut at: usize) -> usize {
    let is_pub = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "pub");
    let in_brackets = |tree: &TokenTree, brackets: Delimiter| matches!(tree, TokenTree::Group(group) if group.delimiter() == brackets);
    match &trees[..at] {
        [.., word, within] if is_pub(word) && in_brackets(within, Delimiter::Parenthesis) => {
            at -= 2;
        }
        [.., word] if is_pub(word) => at -= 1,
        _ => {}
    }
    while let [.., TokenTree::Punct(mark), attribute] = &trees[..at]
        && mark.as_char() == '#'
        && in_brackets(attribute, Delimiter::Bracket)
    {
        at -= 2;
    }
    at
}

/// The names that a `use` begins with.
fn use_starts(tree: &UseTree, names: &mut BTreeSet<String>) {
    let name = match tree {
        UseTree::Path(path) => &path.ident,
        UseTree::Name(name) => &name.ident,
        UseTree::Rename(rename) => &rename.ident,
        UseTree::Glob(_) => return,
        UseTree::Group(group) => {
            for tree in &group.items {
                use_starts(tree, names);
            }
            return;
        }
    };
    names.insert(name.unraw().to_string());
}

fn attributes_of(item: &SynItem) -> &[Attribute] {
    match item {
        SynItem::Const(item) => &item.attrs,
        SynItem::Enum(item) => &item.attrs,
        SynItem::ExternCrate(item) => &item.attrs,
        SynItem::Fn(item) => &item.attrs,
        SynItem::ForeignMod(item) => &item.attrs,
        SynItem::Impl(item) => &item.attrs,
        SynItem::Macro(item) => &item.attrs,
        SynItem::Mod(item) => &item.attrs,
        SynItem::Static(item) => &item.attrs,
        SynItem::Struct(item) => &item.attrs,
        SynItem::Trait(item) => &item.attrs,
        SynItem::TraitAlias(item) => &item.attrs,
        SynItem::Type(item) => &item.attrs,
        SynItem::Union(item) => &item.attrs,
        SynItem::Use(item) => &item.attrs,
        _ => &[],
    }
}
