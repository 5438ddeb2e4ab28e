//! Memory: `alloca`, loads, stores, pointer arithmetic, and which accesses need a check.
//!
//! Idea: an access at a constant offset inside a global or an object of this function is certainly valid
//! when it fits and its alignment is implied; all others carry a pointer property. Reads carry an
//! uninitialised property unless the memory is a global, or the read is clang's own: passing a struct by
//! value in registers reads its padding, writing a bit-field reads its neighbours.
//!
//! Invariant: an integer whose width is no multiple of eight lies in memory with zeros above.

use kripke_elts::{
    AccessChecks, BinaryOp, CastOp as Cast, Expr, ObjectSite, ObjectSiteId, PropertyId, StatementKind,
    Type as Scalar, VariableId,
};
use kripke_model::PropertyKind;

use crate::ir::{CastOp, Constant, Flag, Instruction, InstructionKind, Type, Value};

use super::blocks::COMPOUND_LITERAL;
use super::constants::element_offset;
use super::expressions::{any, as_unsigned, binary, boolean, cast, int, pointer_add, pointer_offset, resize};
use super::function::FunctionTranslator;
use super::globals::whole_bytes;
use super::{Step, unsupported};

/// What is known of an object that an `alloca` made.
#[derive(Clone, Debug)]
pub struct KnownObject {
    /// Its size where it is constant.
    pub size: Option<u64>,
    /// Alignment in bytes.
    pub align: u64,
    /// True when it is a variable of the C program.
    pub is_declared: bool,
    /// Its `alloca`, whose markers may say that it lives only in a part of the function.
    pub slot: Option<String>,
}

/// What an access does with the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Writes it.
    Write,
    /// Reads a value of the program.
    Read,
    /// Reads bytes that may never have been written, as a copy of a struct with padding does.
    Copy,
}

/// An access to memory.
pub struct Access<'a> {
    /// The operand that is the address.
    pub pointer: &'a Value,
    /// Alignment that the instruction states.
    pub align: Option<u32>,
    /// True for `volatile`.
    pub volatile: bool,
}

impl<'m> FunctionTranslator<'_, 'm> {
    /// `alloca`: a new object, unless it is a promoted variable.
    pub fn write_alloca(
        &mut self,
        name: &'m str,
        ty: &Type,
        count: Option<&(Type, Value)>,
        align: Option<u32>,
    ) -> Step<()> {
        if self.locals.contains_key(name) {
            return Ok(());
        }
        let width = self.types.pointer_bits();
        let element = self.types.alloc_size(ty);
        let size = match count {
            None => int(width, i128::from(element)),
            Some((count_type, count)) => {
                let Some(Scalar::Int(count_width)) = self.types.scalar(count_type) else {
                    return unsupported("an allocation whose count is no integer");
                };
                let count = self.scalar(count_type, count)?;
                let count = resize(count, count_width, width, false);
                binary(BinaryOp::Mul, count, int(width, i128::from(element)))
            }
        };
        let align = align.map_or_else(|| self.types.align(ty), u64::from);
        if self.scopes.is_scoped(name) || self.block_objects.contains(name) {
            self.declare_stack_object(name, as_unsigned(&size), align);
            return Ok(());
        }
        self.new_stack_object(name, size, align)
    }

    /// A stack object that an SSA name points to.
    pub fn new_stack_object(&mut self, name: &'m str, size: Expr, align: u64) -> Step<()> {
        let target = match self.values.get(name).map(Vec::as_slice) {
            Some([Expr::Variable(declared)]) if self.objects.contains_key(declared) => *declared,
            _ => self.declare_stack_object(name, as_unsigned(&size), align),
        };
        self.begin_stack_object(name, target, size, align);
        Ok(())
    }

    /// The variable that holds the address of a stack object, where that is made.
    pub fn declare_stack_object(&mut self, name: &'m str, size: Option<u64>, align: u64) -> VariableId {
        let target = self
            .builder
            .temporary(&format!("{name}.address"), Scalar::Pointer);
        let known = KnownObject {
            size,
            align,
            is_declared: self.declarations.contains_key(name),
            slot: Some(name.to_owned()),
        };
        self.objects.insert(target, known);
        self.values.insert(name, vec![Expr::Variable(target)]);
        target
    }

    /// Makes a declared stack object.
    pub fn begin_stack_object(&mut self, name: &str, target: VariableId, size: Expr, align: u64) {
        let site = self.stack_site(name, align);
        self.builder
            .emit(StatementKind::StackObject { target, size, site });
    }

    /// The site of an `alloca`, under the name of what it is in C.
    pub fn stack_site(&mut self, name: &str, align: u64) -> ObjectSiteId {
        let declaration = self.declarations.get(name);
        let site = ObjectSite {
            name: match declaration {
                Some(declaration) => declaration.name.clone(),
                None if name.starts_with(COMPOUND_LITERAL) => "compound literal".to_owned(),
                None => name.to_owned(),
            },
            c_type: declaration.map(|d| d.c_type),
            align: u32::try_from(align).unwrap_or(1),
            once: false,
            position: declaration.map_or(self.builder.position, |d| d.position),
        };
        self.unit.object_sites.push(site)
    }

    /// A stack object that only the translation uses.
    pub fn hidden_stack_object(&mut self, name: &str, size: u64, align: u64) -> Expr {
        let width = self.types.pointer_bits();
        let site = self.unit.object_sites.push(ObjectSite {
            name: name.to_owned(),
            c_type: None,
            align: u32::try_from(align).unwrap_or(1),
            once: false,
            position: self.builder.position,
        });
        let target = self.builder.temporary(name, Scalar::Pointer);
        let known = KnownObject {
            size: Some(size),
            align,
            is_declared: false,
            slot: None,
        };
        self.objects.insert(target, known);
        let size = int(width, i128::from(size));
        self.builder
            .emit(StatementKind::StackObject { target, size, site });
        Expr::Variable(target)
    }

    /// The callee's copies of its `byval` parameters, under their C names.
    pub fn copy_byval_parameters(&mut self) -> Step<()> {
        let width = self.types.pointer_bits();
        for parameter in &self.function.parameters {
            let Some(ty) = &parameter.byval else { continue };
            let source = self.scalar(&parameter.ty, &Value::Local(parameter.name.clone()))?;
            let length = int(width, i128::from(self.types.alloc_size(ty)));
            let align = self.types.align(ty).max(u64::from(width / 8));
            self.new_stack_object(&parameter.name, length.clone(), align)?;
            let target = self.values[&*parameter.name][0].clone();
            self.builder.emit(StatementKind::CopyMemory {
                target,
                source,
                length,
                overlap: false,
                checks: AccessChecks::default(),
            });
        }
        Ok(())
    }

    /// `load`.
    pub fn write_load(&mut self, name: &'m str, ty: &Type, access: &Access<'m>, flags: &[Flag]) -> Step<()> {
        if let Value::Local(slot) = access.pointer
            && self.locals.contains_key(&**slot)
        {
            return self.read_local(name, slot, flags);
        }
        self.refuse_packed_vector(ty)?;
        let address = self.scalar(&Type::Pointer(0), access.pointer)?;
        let is_read = self.reads_c_object(name, access.pointer);
        let how = if is_read { Use::Read } else { Use::Copy };
        let align = access.align.map_or_else(|| self.types.align(ty), u64::from);
        let mut values = Vec::new();
        for leaf in self.types.leaves(ty)? {
            let at = pointer_offset(address.clone(), self.types.pointer_bits(), leaf.offset);
            let align = align_at(align, leaf.offset);
            let checks = self.access_checks(&at, leaf.ty, align, access.pointer, how);
            let value = self.load_scalar(name, leaf.ty, at, align, access.volatile, checks);
            values.push(match self.is_unchecked() {
                true => self.loaded_value(flags, leaf.ty, value),
                false => value,
            });
        }
        self.values.insert(name, values);
        Ok(())
    }

    /// Reads one scalar.
    pub fn load_scalar(
        &mut self,
        name: &str,
        ty: Scalar,
        address: Expr,
        align: u64,
        volatile: bool,
        checks: AccessChecks,
    ) -> Expr {
        let volatile = volatile && !self.unit.options.volatile_memory;
        let stored = match ty {
            Scalar::Int(width) => Scalar::Int(width.next_multiple_of(8)),
            other => other,
        };
        let target = self.builder.temporary(name, stored);
        self.builder.emit(StatementKind::Load {
            target,
            address,
            align: u32::try_from(align).unwrap_or(1),
            volatile,
            checks,
        });
        if stored == ty {
            return Expr::Variable(target);
        }
        let value = cast(Cast::Trunc, Expr::Variable(target), ty);
        self.builder.hold(name, ty, value)
    }

    fn read_local(&mut self, name: &'m str, slot: &str, flags: &[Flag]) -> Step<()> {
        let local = self.locals[slot].clone();
        if let Some(assigned) = local.assigned
            && self.users.contains_key(name)
        {
            let condition = Expr::Variable(assigned);
            if !local.is_result_slot {
                let text = format!("`{}` is read before it is given a value", local.name);
                self.assert_that(condition, PropertyKind::Uninitialised, &text);
            } else if self.unit.is_result_used(&self.function.name) {
                let text = format!("`{}` ends without returning a value", self.function.name);
                self.assert_that(condition, PropertyKind::MissingReturn, &text);
            }
        }
        let value = self
            .builder
            .hold_always(name, local.ty, Expr::Variable(local.variable));
        let value = match flags.is_empty() || self.stores_truth_values_only(slot) {
            true => value,
            false => self.loaded_value(flags, local.ty, value),
        };
        self.values.insert(name, vec![value]);
        Ok(())
    }

    /// True when each store into a promoted variable is one of a truth value, as clang writes `_Bool`s.
    fn stores_truth_values_only(&self, slot: &str) -> bool {
        let users = self.users.get(slot).map_or(&[][..], Vec::as_slice);
        let is_truth_value = |value: &Value| match value {
            Value::Local(name) => matches!(
                self.definitions.get(&**name).map(|definition| &definition.kind),
                Some(InstructionKind::Cast {
                    op: CastOp::ZExt,
                    from: Type::Int(1),
                    ..
                })
            ),
            Value::Constant(Constant::Int(text)) => matches!(&**text, "0" | "1"),
            _ => false,
        };
        users.iter().all(|user| match &user.kind {
            InstructionKind::Store { value, .. } => is_truth_value(value),
            _ => true,
        })
    }

    /// `store`.
    pub fn write_store(&mut self, ty: &Type, value: &'m Value, access: &Access<'m>) -> Step<()> {
        if let Value::Local(slot) = access.pointer
            && let Some(local) = self.locals.get(&**slot).cloned()
        {
            return self.assign_local(&local, ty, value);
        }
        self.refuse_packed_vector(ty)?;
        let values = self.value(ty, value)?;
        let address = self.scalar(&Type::Pointer(0), access.pointer)?;
        let align = access.align.map_or_else(|| self.types.align(ty), u64::from);
        for (leaf, value) in self.types.leaves(ty)?.into_iter().zip(values) {
            let at = pointer_offset(address.clone(), self.types.pointer_bits(), leaf.offset);
            let align = align_at(align, leaf.offset);
            let checks = self.access_checks(&at, leaf.ty, align, access.pointer, Use::Write);
            self.store_scalar(leaf.ty, at, value, align, access.volatile, checks);
        }
        Ok(())
    }

    /// Writes one scalar.
    pub fn store_scalar(
        &mut self,
        ty: Scalar,
        address: Expr,
        value: Expr,
        align: u64,
        volatile: bool,
        checks: AccessChecks,
    ) {
        let (ty, value) = whole_bytes(ty, value);
        let align = u32::try_from(align).unwrap_or(1);
        let checks = AccessChecks {
            uninitialised: None,
            ..checks
        };
        self.builder.emit(StatementKind::Store {
            address,
            value,
            ty,
            align,
            volatile,
            checks,
        });
    }

    fn assign_local(&mut self, local: &super::locals::Local, ty: &Type, value: &'m Value) -> Step<()> {
        if let (Some(parameter), Value::Local(name)) = (&local.parameter, value)
            && **name == **parameter
        {
            return Ok(());
        }
        let value = self.scalar(ty, value)?;
        self.builder.assign(local.variable, value);
        if let Some(assigned) = local.assigned {
            self.builder.assign(assigned, boolean(true));
        }
        Ok(())
    }

    /// `getelementptr`.
    pub fn write_element_pointer(
        &mut self,
        name: &'m str,
        element: &Type,
        base: &'m (Type, Value),
        indices: &'m [(Type, Value)],
        inbounds: bool,
    ) -> Step<()> {
        if self.types.scalar(&base.0) != Some(Scalar::Pointer) {
            return unsupported("pointer arithmetic on vectors");
        }
        let pointer = self.scalar(&base.0, &base.1)?;
        let mut values = Vec::with_capacity(indices.len());
        for (ty, index) in indices {
            values.push(self.scalar(ty, index)?);
        }
        let typed = indices.iter().map(|index| &index.0).zip(values);
        let offset = element_offset(&self.types, element, typed)?;
        let object = self.object_of(&pointer).cloned();
        let address = pointer_add(pointer.clone(), offset);
        if inbounds {
            self.check_arithmetic(&pointer, &address);
        }
        self.define(name, &Type::Pointer(0), vec![address])?;
        if let (Some(object), Some(Expr::Variable(variable))) = (object, self.values[name].first()) {
            self.derived.entry(*variable).or_insert(object);
        }
        self.record_element(name, element, &pointer, indices);
        Ok(())
    }

    /// A pointer that is moved stays in its object, or one past its end. Addresses that belong to no object
    /// are moved as the program likes: registers are reached so.
    fn check_arithmetic(&mut self, from: &Expr, to: &Expr) {
        if from == to || !self.unit.checks(PropertyKind::PointerArithmetic) || self.in_library {
            return;
        }
        let boxed = |expr: &Expr| Box::new(expr.clone());
        let nowhere = Expr::SameObject(boxed(from), Box::new(Expr::Null));
        let stays = binary(
            BinaryOp::ULe,
            Expr::PointerOffset(boxed(to)),
            Expr::ObjectSize(boxed(from)),
        );
        let text = "pointer arithmetic leaves its object";
        self.assert_that(any(vec![nowhere, stays]), PropertyKind::PointerArithmetic, text);
    }

    fn refuse_packed_vector(&self, ty: &Type) -> Step<()> {
        match self.types.resolve(ty) {
            Type::Vector(_, element) if !self.types.bits(element).is_multiple_of(8) => {
                unsupported("a vector of bits in memory")
            }
            _ => Ok(()),
        }
    }

    /// The checks of an access to one scalar.
    pub fn access_checks(
        &mut self,
        address: &Expr,
        ty: Scalar,
        align: u64,
        pointer: &Value,
        access: Use,
    ) -> AccessChecks {
        let size = match ty {
            Scalar::Int(width) => u64::from(width.div_ceil(8)),
            Scalar::Float(format) => u64::from(format.bits().div_ceil(8)),
            Scalar::Pointer => u64::from(self.types.pointer_bits() / 8),
        };
        self.range_checks(address, Some(size), align, pointer, access)
    }

    /// The checks of an access to `size` bytes, where that is known.
    pub fn range_checks(
        &mut self,
        address: &Expr,
        size: Option<u64>,
        align: u64,
        pointer: &Value,
        access: Use,
    ) -> AccessChecks {
        let writes = access == Use::Write;
        let is_valid = size.is_some_and(|size| self.is_certainly_valid(address, size, align, writes));
        let pointer_check = if is_valid {
            None
        } else {
            self.pointer_property(pointer, writes)
        };
        let uninitialised = if access != Use::Read || self.is_certainly_initialised(address) {
            None
        } else {
            self.uninitialised_property(pointer)
        };
        AccessChecks {
            pointer: pointer_check,
            uninitialised,
        }
    }

    fn pointer_property(&mut self, pointer: &Value, writes: bool) -> Option<PropertyId> {
        let verb = if writes { "write to" } else { "read of" };
        let text = match self.describe_access(pointer) {
            _ if self.is_variable_argument(pointer) => {
                "read of a variable argument that was not passed".to_owned()
            }
            Some(place) => format!("{verb} `{place}` through an invalid pointer"),
            None => format!("{verb} memory through an invalid pointer"),
        };
        self.property(PropertyKind::Pointer, &text)
    }

    fn uninitialised_property(&mut self, pointer: &Value) -> Option<PropertyId> {
        let text = match self.describe_access(pointer) {
            Some(place) => format!("`{place}` is read before it is given a value"),
            None => "memory is read before it is written".to_owned(),
        };
        self.property(PropertyKind::Uninitialised, &text)
    }

    fn is_certainly_valid(&self, address: &Expr, size: u64, align: u64, writes: bool) -> bool {
        let Some((region, offset)) = self.region_of(address) else {
            return false;
        };
        let fits = offset.checked_add(size).is_some_and(|end| end <= region.size);
        let align = align.max(1);
        fits && (region.writable || !writes) && region.align % align == 0 && offset % align == 0
    }

    /// The address of the global or of the object of this function that the pointer points into.
    fn object_of<'e>(&'e self, pointer: &'e Expr) -> Option<&'e Expr> {
        let mut root = pointer;
        while let Expr::PointerAdd(base, _) = root {
            root = base;
        }
        match root {
            Expr::GlobalAddress(_) => Some(root),
            Expr::Variable(variable) if self.objects.contains_key(variable) => Some(root),
            Expr::Variable(variable) => self.derived.get(variable),
            _ => None,
        }
    }

    /// True when the pointers certainly point into different objects.
    pub fn are_distinct(&self, left: &Expr, right: &Expr) -> bool {
        match (self.object_of(left), self.object_of(right)) {
            (Some(left), Some(right)) => left != right,
            _ => false,
        }
    }

    fn is_certainly_initialised(&self, address: &Expr) -> bool {
        match self.object_of(address) {
            Some(Expr::GlobalAddress(global)) => !self.unit.copied_into.contains(global),
            Some(Expr::Variable(variable)) => !self.objects[variable].is_declared,
            _ => false,
        }
    }

    /// False for reads that clang made up: of a struct passed in registers (padding included), and of a
    /// bit-field's neighbours that a write keeps.
    fn reads_c_object(&self, result: &str, pointer: &Value) -> bool {
        let users = self.users.get(result).map_or(&[][..], Vec::as_slice);
        let keeps_neighbours = |user: &&Instruction| {
            user.result
                .as_deref()
                .is_some_and(|result| result.starts_with("bf.clear"))
        };
        if users.is_empty()
            || self.is_variable_argument(pointer)
            || (result.starts_with("bf.load") && users.iter().all(keeps_neighbours))
        {
            return false;
        }
        if result.starts_with("bf.load") {
            return true;
        }
        let Value::Local(name) = pointer else { return true };
        let mut at = &**name;
        loop {
            match self.definitions.get(at).map(|definition| &definition.kind) {
                Some(InstructionKind::Cast {
                    value: Value::Local(inner),
                    ..
                }) => at = inner,
                Some(InstructionKind::GetElementPointer { element, .. }) => {
                    return !matches!(element, Type::Struct { .. })
                        && !matches!(element, Type::Named(name) if &**name == "struct.__va_list_tag")
                        && !at.starts_with("coerce.dive");
                }
                Some(InstructionKind::Alloca { ty, .. }) => {
                    // A struct, or a union, as it is passed in registers.
                    let is_passed = |user: &&Instruction| {
                        matches!(user.kind, InstructionKind::Call(_) | InstructionKind::Return(_))
                    };
                    return match ty {
                        Type::Named(name) if name.starts_with("struct.") => false,
                        Type::Named(_) => !users.iter().all(is_passed),
                        _ => true,
                    };
                }
                _ => return true,
            }
        }
    }

    /// True when clang computed the pointer as the place of a variable argument.
    pub fn is_variable_argument(&self, pointer: &Value) -> bool {
        let Value::Local(name) = pointer else { return false };
        let mut at = &**name;
        while let Some(InstructionKind::Cast {
            value: Value::Local(inner),
            ..
        }) = self.definitions.get(at).map(|definition| &definition.kind)
        {
            at = inner;
        }
        [
            "vaarg.addr",
            "overflow_arg_area",
            "argp.cur",
            "stacked",
            "reg_save_area",
        ]
        .iter()
        .any(|prefix| at.starts_with(prefix))
    }

    /// A site for objects made by a library function.
    pub fn heap_site(&mut self, name: &str) -> ObjectSiteId {
        let width = u64::from(self.types.pointer_bits());
        // malloc's alignment suits every scalar: two pointers, but no more than the machine has use for.
        let align = match width {
            64 => 16,
            32 => 8,
            _ => 2,
        };
        let position = self.builder.position;
        let sites = &mut self.unit.object_sites;
        let same = |site: &ObjectSite| site.name == name && site.position == position;
        let known = sites
            .enumerate()
            .rev()
            .take(8)
            .find(|(_, site)| same(site))
            .map(|(id, _)| id);
        match known {
            Some(id) => id,
            None => sites.push(ObjectSite {
                name: name.to_owned(),
                c_type: None,
                align,
                once: false,
                position,
            }),
        }
    }
}

/// The alignment of a scalar at an offset in something aligned.
pub fn align_at(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        offset => align.min(1 << offset.trailing_zeros()),
    }
}
