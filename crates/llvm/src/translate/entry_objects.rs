//! What the pointer parameters of an entry function point to.
//!
//! Idea: for each pointer the start-up function makes the objects that a caller would own: the pointer is
//! null, or it points to the first of N elements of its type. Every scalar in them is an input with the name
//! that the function has for it (`p->length`, `p[1].next->value`); pointers in them lead to further objects,
//! up to a depth, and are null below it. Parameters of one type may point to the same object, unless one is
//! `restrict`.
//!
//! Invariant: whatever a caller could pass and this does not is an assumption of the program, which the
//! verdict lists. What has no name as an input (unions, bit-fields, long arrays, floats wider than `double`)
//! is left with any bytes.

use rustc_hash::FxHashMap;

use kripke_elts::{CType, CTypeId, CastOp, Encoding, Expr, GlobalId, InitialRest, Type as Scalar};
use kripke_value::FloatFormat;

use crate::ir::{self, InstructionKind};

use super::Translator;
use super::builder::Builder;
use super::expressions::{cast, select};
use super::start::any_value;

/// Arrays with more elements than this are left with any bytes: an input for each would drown the others.
pub(super) const NAMED_ELEMENTS: u64 = 64;
/// Objects of one entry function; pointers to further ones are null.
const MOST_OBJECTS: usize = 1000;
/// Scalars and arrays that are named at the most; the others keep any bytes.
const MOST_PARTS: usize = 20_000;
/// Records and arrays that are opened to find an alignment.
const ALIGN_LEVELS: u32 = 6;
/// How deep records and arrays are filled.
const DEPTH_LIMIT: usize = 64;

/// How large the objects are that an entry function gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryObjects {
    /// Elements behind each pointer.
    pub count: u64,
    /// Pointers that are followed one after the other; the next one is null.
    pub depth: u32,
    /// Parameters may be null; pointers in objects may be in any case.
    pub null_parameters: bool,
}

impl Default for EntryObjects {
    fn default() -> Self {
        EntryObjects {
            count: 1,
            depth: 2,
            null_parameters: true,
        }
    }
}

/// A pointer that is to be made.
struct Wanted {
    /// The C expression for it.
    name: String,
    /// What it points to.
    pointee: CTypeId,
    /// How many pointers lead to it, itself included.
    depth: u32,
}

/// Makes the objects of one entry function.
pub(super) struct Maker<'t, 'm, 'b> {
    unit: &'t mut Translator<'m>,
    builder: &'b mut Builder,
    /// What parameters may share: the element type, the parameter and its object.
    shared: Vec<(CTypeId, String, GlobalId)>,
    parameters: Vec<String>,
    members: bool,
    cut: Vec<String>,
    objects: usize,
    parts: usize,
    nesting: usize,
}

impl<'t, 'm, 'b> Maker<'t, 'm, 'b> {
    pub fn new(unit: &'t mut Translator<'m>, builder: &'b mut Builder) -> Self {
        Maker {
            unit,
            builder,
            shared: Vec::new(),
            parameters: Vec::new(),
            members: false,
            cut: Vec::new(),
            objects: 0,
            parts: 0,
            nesting: 0,
        }
    }

    /// The argument for a pointer parameter of this type; nothing where the type is no pointer.
    pub fn argument(&mut self, name: &str, c_type: CTypeId) -> Option<Expr> {
        let pointee = self.unit.pointee_type(c_type)?;
        let wanted = Wanted {
            name: name.to_owned(),
            pointee,
            depth: 1,
        };
        if self.unit.is_function_type(pointee) {
            return Some(self.any_pointer(name));
        }
        self.parameters.push(name.to_owned());
        let object = self.object(&wanted);
        let mut pointer = Expr::GlobalAddress(object);
        if self.unit.options.entry_objects.null_parameters {
            pointer = self.null_or(&wanted.name, pointer);
        }
        if self.unit.is_restrict_type(c_type) {
            return Some(pointer);
        }
        let element = self.unit.plain_type(pointee);
        let twins: Vec<_> = self
            .shared
            .iter()
            .filter(|(of, ..)| *of == element)
            .cloned()
            .collect();
        for (_, other, twin) in twins {
            let same = self.input(&format!("{name} is {other}"), Scalar::BOOL);
            pointer = select(same, Expr::GlobalAddress(twin), pointer);
        }
        self.shared.push((element, name.to_owned(), object));
        Some(pointer)
    }

    /// An object for what is passed or returned in memory, with its contents where its type is known.
    pub fn hidden(&mut self, name: &str, ty: &ir::Type, module: usize, c_type: Option<CTypeId>) -> Expr {
        let types = self.unit.types(module);
        let (size, align) = (types.alloc_size(ty), types.align(ty));
        let object = self
            .unit
            .synthetic_global(name, size, u32::try_from(align).unwrap_or(1), Vec::new());
        self.unit.globals[object].rest = InitialRest::Nondet;
        if let Some(c_type) = c_type {
            let before = self.objects;
            self.fill(object, 0, c_type, name, 0);
            if self.objects > before {
                self.parameters.push(format!("the pointers in {name}"));
            }
        }
        Expr::GlobalAddress(object)
    }

    /// What was taken for granted, for the verdict.
    pub fn assumptions(self) -> Vec<String> {
        let EntryObjects {
            count,
            depth,
            null_parameters,
        } = self.unit.options.entry_objects;
        let entry = &self.unit.options.entry;
        let mut all = Vec::new();
        if !self.parameters.is_empty() {
            let elements = match count {
                1 => "one element".to_owned(),
                count => format!("the first of {count} elements"),
            };
            let null = if null_parameters { "null or " } else { "" };
            all.push(format!(
                "`{entry}` gets {null}a pointer to {elements} with any contents for {} (--entry-objects)",
                self.parameters.join(", ")
            ));
        }
        if !self.parameters.is_empty() {
            all.push(format!(
                "objects of `{entry}`'s parameters do not overlap, but that parameters of one type \
                 without restrict may be equal, and are none of the program's own"
            ));
        }
        if self.members {
            all.push(format!(
                "the objects that `{entry}` reaches through other objects are all different: nothing is \
                 shared, no list is a circle"
            ));
        }
        if let Some(first) = self.cut.first() {
            let others = match self.cut.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            all.push(format!(
                "pointers behind {depth} others, or to more than {MOST_OBJECTS} objects, are null: \
                 {first}{others} (--entry-depth)"
            ));
        }
        all
    }

    /// A new object for a pointer, with its contents.
    fn object(&mut self, wanted: &Wanted) -> GlobalId {
        self.objects += 1;
        let count = self.unit.options.entry_objects.count;
        let (size, align) = (
            self.unit.bytes_of_type(wanted.pointee),
            self.align(wanted.pointee),
        );
        let flexible = self.unit.flexible_element(wanted.pointee);
        let bytes = match flexible {
            Some(element) => size.saturating_add(self.unit.bytes_of_type(element).saturating_mul(count)),
            None => size.saturating_mul(count),
        };
        let c_type = match count {
            1 => wanted.pointee,
            count => self.unit.tables.c_types.push(CType::Array {
                element: wanted.pointee,
                count,
            }),
        };
        let name = object_name(&wanted.name);
        let align = u32::try_from(align).unwrap_or(1);
        let object = self.unit.synthetic_global(&name, bytes.max(1), align, Vec::new());
        let global = &mut self.unit.globals[object];
        global.rest = InitialRest::Nondet;
        global.c_name = Some(global.name.clone());
        global.c_type = Some(c_type);
        let base = match wanted.name.starts_with('*') {
            true => format!("({})", wanted.name),
            false => wanted.name.clone(),
        };
        if flexible.is_some() || count == 1 {
            let name = match self.unit.is_record_type(wanted.pointee) {
                true => format!("{base}->"),
                false => format!("*{}", wanted.name),
            };
            self.fill(object, 0, wanted.pointee, &name, wanted.depth);
            if let Some(element) = flexible {
                self.fill_flexible(object, wanted, element, &name);
            }
        } else if count <= NAMED_ELEMENTS {
            for index in 0..count {
                let name = format!("{base}[{index}]");
                self.fill(object, index * size, wanted.pointee, &name, wanted.depth);
            }
        }
        object
    }

    /// The elements of a flexible array, behind the members before it.
    fn fill_flexible(&mut self, object: GlobalId, wanted: &Wanted, element: CTypeId, record: &str) {
        let CType::Record { members, .. } = self.unit.type_content(wanted.pointee) else {
            return;
        };
        let Some(array) = members.last().cloned() else {
            return;
        };
        let count = self.unit.options.entry_objects.count;
        for index in 0..count.min(NAMED_ELEMENTS) {
            let offset = array.bit_offset / 8 + index * self.unit.bytes_of_type(element);
            let name = format!("{record}{}[{index}]", array.name);
            self.fill(object, offset, element, &name, wanted.depth);
        }
    }

    /// Gives what has a name any value. `name` is the C expression for it, or ends in `->` before a member's.
    fn fill(&mut self, object: GlobalId, offset: u64, c_type: CTypeId, name: &str, depth: u32) {
        if self.parts == MOST_PARTS || self.nesting == DEPTH_LIMIT {
            return;
        }
        self.parts += 1;
        self.nesting += 1;
        self.fill_part(object, offset, c_type, name, depth);
        self.nesting -= 1;
    }

    fn fill_part(&mut self, object: GlobalId, offset: u64, c_type: CTypeId, name: &str, depth: u32) {
        match self.unit.type_content(c_type).clone() {
            CType::Base { bits, encoding, .. } => self.fill_base(object, offset, bits, encoding, name),
            CType::Void => self.fill_base(object, offset, 8, Encoding::Unsigned, name),
            CType::Enum { bits, .. } => self.fill_base(object, offset, bits, Encoding::Signed, name),
            CType::Pointer { to } => {
                let value = self.member_pointer(name, to, depth + 1);
                self.store(object, offset, Scalar::Pointer, value);
            }
            CType::Record {
                union: false,
                members,
                ..
            } => {
                for member in members.iter().filter(|member| !member.bit_field) {
                    let joint = if name.ends_with("->") { "" } else { "." };
                    let name = match member.name.as_str() {
                        "" => name.to_owned(),
                        member => format!("{name}{joint}{member}"),
                    };
                    let offset = offset + member.bit_offset / 8;
                    self.fill(object, offset, member.c_type, &name, depth);
                }
            }
            CType::Array { element, count } if count <= NAMED_ELEMENTS => {
                let size = self.unit.bytes_of_type(element);
                for index in 0..count {
                    let name = format!("{name}[{index}]");
                    self.fill(object, offset + index * size, element, &name, depth);
                }
            }
            _ => {}
        }
    }

    fn member_pointer(&mut self, name: &str, pointee: CTypeId, depth: u32) -> Expr {
        if self.unit.is_function_type(pointee) {
            return self.any_pointer(name);
        }
        if depth > self.unit.options.entry_objects.depth || self.objects >= MOST_OBJECTS {
            self.cut.push(name.to_owned());
            return Expr::Null;
        }
        self.members = true;
        let wanted = Wanted {
            name: name.to_owned(),
            pointee,
            depth,
        };
        let object = self.object(&wanted);
        self.null_or(name, Expr::GlobalAddress(object))
    }

    fn fill_base(&mut self, object: GlobalId, offset: u64, bits: u32, encoding: Encoding, name: &str) {
        let (ty, stored) = match (encoding, bits) {
            (Encoding::Bool, _) => (Scalar::BOOL, Scalar::Int(bits)),
            (Encoding::Float, 32) => both(Scalar::Float(FloatFormat::Binary32)),
            (Encoding::Float, 64) => both(Scalar::Float(FloatFormat::Binary64)),
            (Encoding::Float, _) => return,
            (_, 8 | 16 | 32 | 64 | 128) => both(Scalar::Int(bits)),
            _ => return,
        };
        let mut value = self.input(name, ty);
        if ty != stored {
            value = cast(CastOp::ZExt, value, stored);
        }
        self.store(object, offset, stored, value);
    }

    fn store(&mut self, object: GlobalId, offset: u64, ty: Scalar, value: Expr) {
        let pointer_width = self.unit.data_model.pointer_width;
        self.builder
            .store_into((object, offset), pointer_width, ty, value);
    }

    fn null_or(&mut self, name: &str, object: Expr) -> Expr {
        let null = self.input(&format!("{name} is null"), Scalar::BOOL);
        select(null, Expr::Null, object)
    }

    /// A parameter that is no pointer.
    pub fn any_value(&mut self, name: &str, ty: Scalar) -> Expr {
        self.input(name, ty)
    }

    fn any_pointer(&mut self, name: &str) -> Expr {
        self.input(name, Scalar::Pointer)
    }

    fn input(&mut self, name: &str, ty: Scalar) -> Expr {
        any_value(self.builder, name, ty)
    }

    fn align(&self, c_type: CTypeId) -> u64 {
        self.align_within(c_type, ALIGN_LEVELS)
    }

    /// The alignment that the type guarantees, as far as its layout shows it.
    fn align_within(&self, c_type: CTypeId, levels: u32) -> u64 {
        let types = self.unit.types(0);
        let Some(levels) = levels.checked_sub(1) else {
            return 1;
        };
        match self.unit.type_content(c_type) {
            CType::Base {
                bits: 32,
                encoding: Encoding::Float,
                ..
            } => types.align(&ir::Type::Float),
            CType::Base {
                bits: 64,
                encoding: Encoding::Float,
                ..
            } => types.align(&ir::Type::Double),
            CType::Base { bits, .. } | CType::Enum { bits, .. } => types.align(&ir::Type::Int(*bits)),
            CType::Pointer { .. } => types.align(&ir::Type::Pointer(0)),
            CType::Array { element, .. } => self.align_within(*element, levels),
            CType::Record { members, bytes, .. } => {
                let aligned = members.iter().filter(|member| !member.bit_field).map(|member| {
                    let align = self.align_within(member.c_type, levels);
                    let fits = (member.bit_offset / 8) % align == 0 && bytes % align == 0;
                    if fits { align } else { 1 }
                });
                aligned.max().unwrap_or(1)
            }
            _ => 1,
        }
    }
}

/// The types of a function's parameters, by the names that they have in the IR.
pub(super) fn parameter_types(
    unit: &mut Translator<'_>,
    module: usize,
    function: &ir::Function,
) -> FxHashMap<String, CTypeId> {
    let mut found = FxHashMap::default();
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    for instruction in instructions {
        let (InstructionKind::DebugDeclare { variable, .. } | InstructionKind::DebugValue { variable, .. }) =
            &instruction.kind
        else {
            continue;
        };
        let declared = unit.debug[module].local_variable(*variable, &mut unit.tables);
        if let Some(declared) = declared.filter(|declared| declared.argument.is_some()) {
            found.insert(declared.name, declared.c_type);
        }
    }
    found
}

fn both(ty: Scalar) -> (Scalar, Scalar) {
    (ty, ty)
}

/// A name for the object behind an expression: `p->next` gives `p_next_object`.
fn object_name(expression: &str) -> String {
    let words = expression.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!("{}_object", words.join("_"))
}
