//! Which definition a name means.
//!
//! Idea: a name with internal or private linkage means the module's own symbol; any other name means the
//! strongest definition among all modules, the way a linker chooses: a proper definition before a weak
//! one before a tentative (`common`) one before a declaration, the program before a library model.

use rustc_hash::FxHashMap;

use crate::ir::{GlobalVariable, Linkage, Module};

/// A symbol of one module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Index of the module.
    pub module: usize,
    /// What it is.
    pub kind: SymbolKind,
}

/// What a symbol is, by index into its module's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function.
    Function(usize),
    /// A global variable.
    Global(usize),
    /// An alias.
    Alias(usize),
}

/// All names of all modules.
#[derive(Debug)]
pub struct Symbols<'m> {
    own: Vec<FxHashMap<&'m str, (SymbolKind, bool)>>,
    shared: FxHashMap<&'m str, (u32, Symbol)>,
}

impl<'m> Symbols<'m> {
    /// Collects the names.
    pub fn new(modules: &'m [Module]) -> Self {
        let mut symbols = Symbols {
            own: vec![FxHashMap::default(); modules.len()],
            shared: FxHashMap::default(),
        };
        for (module, ir) in modules.iter().enumerate() {
            let library = ir.is_library_model;
            for (index, function) in ir.functions.iter().enumerate() {
                let rank = rank(function.linkage, !function.blocks.is_empty(), library);
                let kind = SymbolKind::Function(index);
                symbols.add(module, &function.name, kind, function.linkage, rank);
            }
            for (index, global) in ir.globals.iter().enumerate() {
                let rank = rank(global.linkage, global.initializer.is_some(), library);
                let kind = SymbolKind::Global(index);
                symbols.add(module, &global.name, kind, global.linkage, rank);
            }
            for (index, alias) in ir.aliases.iter().enumerate() {
                let rank = rank(alias.linkage, true, library);
                symbols.add(module, &alias.name, SymbolKind::Alias(index), alias.linkage, rank);
            }
        }
        symbols.prefer_larger_tentative(modules);
        symbols
    }

    fn add(&mut self, module: usize, name: &'m str, kind: SymbolKind, linkage: Linkage, rank: u32) {
        let is_local = matches!(linkage, Linkage::Internal | Linkage::Private);
        self.own[module].insert(name, (kind, is_local));
        if is_local {
            return;
        }
        let candidate = (rank, Symbol { module, kind });
        let chosen = self.shared.entry(name).or_insert(candidate);
        if rank > chosen.0 {
            *chosen = candidate;
        }
    }

    /// Two tentative definitions of an array may state different lengths.
    fn prefer_larger_tentative(&mut self, modules: &'m [Module]) {
        let length = |global: &GlobalVariable| match &global.ty {
            crate::ir::Type::Array(count, _) => *count,
            _ => 0,
        };
        for (module, ir) in modules.iter().enumerate() {
            for (index, global) in ir.globals.iter().enumerate() {
                if global.linkage != Linkage::Common {
                    continue;
                }
                let Some((_, chosen)) = self.shared.get_mut(&*global.name) else {
                    continue;
                };
                let SymbolKind::Global(other) = chosen.kind else {
                    continue;
                };
                let other = &modules[chosen.module].globals[other];
                if other.linkage == Linkage::Common && length(global) > length(other) {
                    *chosen = Symbol {
                        module,
                        kind: SymbolKind::Global(index),
                    };
                }
            }
        }
    }

    /// What `@name` means in a module.
    pub fn resolve(&self, module: usize, name: &str) -> Option<Symbol> {
        match self.own.get(module).and_then(|own| own.get(name)) {
            Some(&(kind, true)) => Some(Symbol { module, kind }),
            _ => self.find(name),
        }
    }

    /// What a name means that no module keeps to itself.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.shared.get(name).map(|chosen| chosen.1)
    }

    /// The function of this name that has a body, static ones of the program included.
    pub fn find_anywhere(&self, modules: &[Module], name: &str) -> Option<Symbol> {
        let everywhere = (0..modules.len()).filter_map(|module| self.resolve(module, name));
        self.find(name)
            .into_iter()
            .chain(everywhere)
            .find(|symbol| match symbol.kind {
                SymbolKind::Function(index) => !modules[symbol.module].functions[index].blocks.is_empty(),
                _ => false,
            })
    }

    /// True when the module's symbol of this name is the one that the name means there.
    pub fn is_chosen(&self, module: usize, name: &str, index: usize) -> bool {
        self.resolve(module, name).is_some_and(|symbol| {
            let own = match symbol.kind {
                SymbolKind::Function(own) | SymbolKind::Global(own) | SymbolKind::Alias(own) => own,
            };
            symbol.module == module && own == index
        })
    }
}

fn rank(linkage: Linkage, is_definition: bool, is_library: bool) -> u32 {
    let strength = match linkage {
        _ if !is_definition => 0,
        Linkage::AvailableExternally => 1,
        Linkage::Common => 2,
        Linkage::Weak | Linkage::LinkOnce | Linkage::ExternWeak => 3,
        _ => 4,
    };
    let program_first = u32::from(is_definition && !is_library);
    strength + 10 * program_first
}
