//! Global objects: size, initial contents, names.
//!
//! Idea: an initial value is written as cells, one per scalar that is not zero; padding and everything
//! left out is zero. An object that only another, absent translation unit defines starts with any
//! contents; the standard streams get an opaque object each, so that they are never null.

use kripke_elts::{Expr, Global, GlobalId, InitialCell, InitialRest, Position, Type as Scalar};
use kripke_value::BitVec;

use crate::ir::{Constant, GlobalVariable, Type};

use super::constants::zero;
use super::expressions::{as_boolean, cast};
use super::layout::Types;
use super::{Step, Translator, unsupported};

/// Bytes given to an `extern` array of unknown length.
const UNKNOWN_LENGTH_BYTES: u64 = 4096;
/// Bytes of the object behind `stdout` and the like.
const STREAM_BYTES: u64 = 8;

impl Translator<'_> {
    /// The id of a global variable, whose contents are filled in later.
    pub fn global_id(&mut self, module: usize, index: usize) -> GlobalId {
        if let Some(&id) = self.global_ids.get(&(module, index)) {
            return id;
        }
        let modules = self.modules;
        let ir = &modules[module].globals[index];
        let types = self.types(module);
        let debug = self.debug[module].global(&ir.debug, &mut self.tables);
        let is_definition = ir.initializer.is_some();
        let mut size = types.alloc_size(&ir.ty);
        if !is_definition && size == 0 {
            size = UNKNOWN_LENGTH_BYTES;
        }
        let align = ir.align.map_or_else(|| types.align(&ir.ty), u64::from);
        let rest = match is_definition {
            true => InitialRest::Zero,
            false if self.is_register(&ir.name) => InitialRest::Registers,
            false => InitialRest::Nondet,
        };
        let name = self.global_names.fresh(&ir.name);
        let function = debug.as_ref().and_then(|debug| debug.function.clone());
        let id = self.globals.push(Global {
            name,
            c_name: debug
                .as_ref()
                .map(|debug| debug.name.clone())
                .filter(|name| !name.is_empty()),
            size,
            align: u32::try_from(align).unwrap_or(1),
            cells: Vec::new(),
            rest,
            constant: ir.constant,
            thread_local: ir.thread_local,
            c_type: debug.as_ref().map(|debug| debug.c_type),
            position: debug.map_or_else(Position::default, |debug| debug.position),
        });
        if self.is_copied_into(&ir.name) {
            self.copied_into.insert(id);
        }
        if let Some(function) = function {
            self.static_locals.insert(id, (module, function));
        }
        self.global_ids.insert((module, index), id);
        self.pending_globals.push_back((id, module, index));
        id
    }

    /// Computes the initial contents of a global.
    pub fn fill_global(&mut self, id: GlobalId, module: usize, index: usize) {
        let modules = self.modules;
        let ir: &GlobalVariable = &modules[module].globals[index];
        let Some(initializer) = &ir.initializer else {
            self.fill_extern(id, &ir.name);
            return;
        };
        let types = self.types(module);
        let mut cells = Vec::new();
        if self
            .initial_cells(&types, module, &ir.ty, initializer, 0, &mut cells)
            .is_err()
        {
            // What cannot be expressed must not pass for zero.
            cells.clear();
            self.globals[id].rest = InitialRest::Nondet;
        }
        self.globals[id].cells = cells;
    }

    fn fill_extern(&mut self, id: GlobalId, name: &str) {
        let is_stream = matches!(
            name,
            "stdin" | "stdout" | "stderr" | "__stdinp" | "__stdoutp" | "__stderrp" | "environ" | "__environ"
        );
        if !is_stream {
            return;
        }
        let object = self.synthetic_global(&format!("{name}.object"), STREAM_BYTES, 8, Vec::new());
        self.globals[id].rest = InitialRest::Zero;
        self.globals[id].cells = vec![InitialCell {
            offset: 0,
            ty: Scalar::Pointer,
            value: Expr::GlobalAddress(object),
        }];
    }

    /// A global that no source mentions.
    pub fn synthetic_global(
        &mut self,
        name: &str,
        size: u64,
        align: u32,
        cells: Vec<InitialCell>,
    ) -> GlobalId {
        let name = self.global_names.fresh(name);
        self.globals.push(Global {
            name,
            c_name: None,
            size,
            align,
            cells,
            rest: InitialRest::Zero,
            constant: false,
            thread_local: false,
            c_type: None,
            position: Position::default(),
        })
    }

    fn initial_cells(
        &mut self,
        types: &Types<'_>,
        module: usize,
        ty: &Type,
        constant: &Constant,
        offset: u64,
        cells: &mut Vec<InitialCell>,
    ) -> Step<()> {
        match constant {
            Constant::Zero | Constant::Null => return Ok(()),
            Constant::Undef | Constant::Poison if self.modules[module].is_given_as_ir => {
                return unsupported("an undefined initial value");
            }
            // What C leaves open, padding and the rest of a union, is zero in clang's and gcc's code.
            Constant::Undef | Constant::Poison => return Ok(()),
            Constant::Bytes(bytes) => {
                let written = bytes.iter().enumerate().filter(|(_, byte)| **byte != 0);
                cells.extend(written.map(|(at, byte)| InitialCell {
                    offset: offset + at as u64,
                    ty: Scalar::Int(8),
                    value: Expr::Int(BitVec::new(8, u128::from(*byte))),
                }));
                return Ok(());
            }
            Constant::Aggregate(elements) => {
                let offsets: Vec<u64> = match types.resolve(ty) {
                    Type::Struct { members, packed } => types.struct_layout(members, *packed).0,
                    Type::Array(_, element) => strides(elements.len(), types.alloc_size(element)),
                    Type::Vector(_, element) => strides(elements.len(), types.store_size(element)),
                    _ => Vec::new(),
                };
                for ((element_type, element), at) in elements.iter().zip(offsets) {
                    self.initial_cells(types, module, element_type, element, offset + at, cells)?;
                }
                return Ok(());
            }
            _ => {}
        }
        let values = self.constant(module, ty, constant)?;
        for (leaf, value) in types.leaves(ty)?.into_iter().zip(values) {
            if value == zero(leaf.ty) {
                continue;
            }
            let (ty, value) = whole_bytes(leaf.ty, value);
            cells.push(InitialCell {
                offset: offset + leaf.offset,
                ty,
                value,
            });
        }
        Ok(())
    }

    /// The string literal that a constant points to.
    pub fn literal_text(&self, module: usize, constant: &Constant) -> Option<String> {
        let symbol = self.symbols.resolve(module, constant.global()?)?;
        let super::symbols::SymbolKind::Global(index) = symbol.kind else {
            return None;
        };
        let global = &self.modules[symbol.module].globals[index];
        global.initializer.as_ref()?.text()
    }
}

fn strides(count: usize, size: u64) -> Vec<u64> {
    (0..count as u64).map(|index| index * size).collect()
}

/// An integer as it lies in memory: zeros above, up to whole bytes.
pub fn whole_bytes(ty: Scalar, value: Expr) -> (Scalar, Expr) {
    match ty {
        Scalar::Int(width) if width % 8 != 0 => {
            let stored = Scalar::Int(width.next_multiple_of(8));
            let value = match as_boolean(&value) {
                Some(bit) => Expr::Int(BitVec::new(width.next_multiple_of(8), u128::from(bit))),
                None => cast(kripke_elts::CastOp::ZExt, value, stored),
            };
            (stored, value)
        }
        _ => (ty, value),
    }
}
