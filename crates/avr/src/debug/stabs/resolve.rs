//! From types as written to types of the result.
//!
//! Idea: what a key means depends on the unit that asks, because a header may declare a structure that each
//! unit defines for itself. A unit sees definitions in its own text first, then completions in headers it
//! includes, then the text that the key belongs to. In the text of a header that another unit has in common,
//! a key of that unit's file is one of this unit's file, and a key of a header that this unit has another
//! copy of is one of that copy: the linker compares the texts without their file numbers. Types are made from
//! a list of work, as they may be cyclic.

use std::collections::HashMap;

use super::super::builder::Builder;
use super::super::{DebugError, Field, Type, TypeId};
use super::store::{Key, Member, Node, NodeId, Store};
use super::{SECTION, View};

/// More look-ups than this are no program's; they bound the time that a corrupt file takes.
const MOST_STEPS: usize = 1 << 24;

/// Bytes of a pointer to flash and RAM alike.
const LONG_POINTER: u32 = 3;
/// Arrays of more dimensions are taken as they are written.
const MOST_DIMENSIONS: usize = 16;

/// The name of an integer type, where the unit has none the usual one for its values.
fn integer_name(name: &str, size: u32, signed: bool) -> String {
    let sign = if signed { "" } else { "u" };
    match (name, size) {
        ("", 3) => format!("__{sign}int24"),
        ("", _) => format!("{sign}int{}_t", size.saturating_mul(8)),
        _ => name.to_owned(),
    }
}

/// Makes types, each once for a unit.
pub(super) struct Resolver<'a> {
    store: &'a Store,
    views: &'a [View],
    builder: &'a mut Builder,
    known: HashMap<(usize, NodeId), TypeId>,
    work: Vec<(usize, NodeId, TypeId)>,
    enum_sizes: HashMap<NodeId, Option<u32>>,
    steps: usize,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(store: &'a Store, views: &'a [View], builder: &'a mut Builder) -> Self {
        Self {
            store,
            views,
            builder,
            known: HashMap::new(),
            work: Vec::new(),
            enum_sizes: HashMap::new(),
            steps: 0,
        }
    }

    /// Adds the enumerators of all enumerations, also of those that no variable has.
    pub(super) fn enumerators(&mut self) {
        for node in &self.store.nodes {
            if let Node::Enum { enumerators, .. } = node {
                self.builder.enumerators(enumerators);
            }
        }
    }

    /// The type that a node means in a unit, for a variable of a size that is 0 where it is unknown.
    pub(super) fn type_of(&mut self, view: usize, node: NodeId, bytes: u32) -> Result<TypeId, DebugError> {
        let id = self.id_of_size(view, node, bytes, 0)?;
        while let Some((view, node, id)) = self.work.pop() {
            let type_ = self.composite(view, node)?;
            self.builder.define(id, type_);
        }
        Ok(id)
    }

    fn step(&mut self) -> Result<(), DebugError> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(DebugError::new(SECTION, 0, "the types are too entangled"));
        }
        Ok(())
    }

    fn id(&mut self, view: usize, node: NodeId) -> Result<TypeId, DebugError> {
        let node = match self.target(view, node)? {
            Ok(node) => node,
            Err(type_) => return Ok(self.builder.intern(type_)),
        };
        if let Some(id) = self.known.get(&(view, node)) {
            return Ok(*id);
        }
        let id = match self.simple(&self.store.nodes[node.0]) {
            Some(mut type_) => {
                if let (Type::Enum { size, .. }, Some(Some(bytes))) = (&mut type_, self.enum_sizes.get(&node))
                {
                    *size = *bytes;
                }
                self.builder.intern(type_)
            }
            None => {
                let id = self.builder.reserve(SECTION, 0)?;
                self.work.push((view, node, id));
                id
            }
        };
        self.known.insert((view, node), id);
        Ok(id)
    }

    /// The node at the end of a chain of references. A type that is defined as itself is `void`, one that is
    /// not defined is unknown.
    fn target(&mut self, view: usize, node: NodeId) -> Result<Result<NodeId, Type>, DebugError> {
        let mut node = node;
        let mut passed: Vec<Key> = Vec::new();
        while let Node::Reference(key) = &self.store.nodes[node.0] {
            if passed.contains(key) {
                return Ok(Err(Type::Void));
            }
            passed.push(*key);
            for _ in 0..passed.len() {
                self.step()?;
            }
            match self.look_up(view, *key)? {
                Some(definition) => node = definition,
                None => return Ok(Err(Type::Unknown { size: 0 })),
            }
        }
        Ok(Ok(node))
    }

    fn look_up(&mut self, view: usize, key: Key) -> Result<Option<NodeId>, DebugError> {
        let store = self.store;
        let view = &self.views[view];
        // The text of a header is that of the first unit; this one means its own copies of what it includes.
        let key = match view.counterpart(key.space, store) {
            Some(space) => Key { space, ..key },
            None => return Ok(None),
        };
        if let Some(node) = store.definition(view.main, key) {
            return Ok(Some(node));
        }
        for writer in store.writers(key) {
            self.step()?;
            if *writer != key.space && view.included.contains(writer) {
                return Ok(store.definition(*writer, key));
            }
        }
        Ok(store.definition(key.space, key))
    }

    /// The type of a node that refers to no other.
    fn simple(&self, node: &Node) -> Option<Type> {
        let tag = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        Some(match node {
            Node::Integer { name, size, signed } => Type::Integer {
                name: integer_name(name, *size, *signed),
                size: *size,
                signed: *signed,
            },
            // Fixed-point numbers are written as floating-point ones.
            Node::Float { name, size } if name.contains("_Fract") || name.contains("_Accum") => {
                Type::Unknown { size: *size }
            }
            Node::Float { size, .. } => Type::Float { size: *size },
            Node::Boolean { size } => Type::Boolean { size: *size },
            Node::Enum {
                name,
                size,
                enumerators,
            } => Type::Enum {
                name: tag(name),
                size: *size,
                signed: enumerators.iter().any(|(_, value)| *value < 0),
                enumerators: enumerators.clone(),
            },
            Node::Incomplete {
                name,
                is_union: Some(is_union),
            } => Type::Record {
                name: tag(name),
                size: 0,
                is_union: *is_union,
                fields: Vec::new(),
            },
            Node::Incomplete { is_union: None, .. } => Type::Unknown { size: 0 },
            Node::Function => Type::Function,
            Node::Unknown { size } => Type::Unknown { size: *size },
            Node::Reference(_) | Node::Pointer { .. } | Node::Array { .. } | Node::Record { .. } => {
                return None;
            }
        })
    }

    fn composite(&mut self, view: usize, node: NodeId) -> Result<Type, DebugError> {
        let store = self.store;
        Ok(match &store.nodes[node.0] {
            Node::Pointer { size, target } => Type::Pointer {
                size: *size,
                target: self.id(view, *target)?,
            },
            Node::Array { element, count } => {
                let element = self.id(view, *element)?;
                Type::Array {
                    element: self.builder.object(element),
                    count: *count,
                }
            }
            Node::Record {
                name,
                size,
                is_union,
                members,
            } => Type::Record {
                name: Some(name.clone()).filter(|name| !name.is_empty()),
                size: *size,
                is_union: *is_union,
                fields: self.fields(view, members)?,
            },
            other => self.simple(other).unwrap_or(Type::Void),
        })
    }

    fn fields(&mut self, view: usize, members: &[Member]) -> Result<Vec<Field>, DebugError> {
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            self.step()?;
            let bytes = (member.place % 8 == 0 && member.width % 8 == 0).then_some(member.width / 8);
            let type_ = self.id_of_size(view, member.node, bytes.unwrap_or(0), 0)?;
            let type_ = self.builder.object(type_);
            let type_is_whole = bytes == Some(self.builder.size_of(type_));
            let is_number = matches!(
                self.builder.type_(type_),
                Type::Integer { .. } | Type::Boolean { .. } | Type::Enum { .. }
            );
            let bits = (is_number && !type_is_whole).then_some((member.place % 8, member.width));
            // Bits without a name only fill space.
            if bits.is_some() && member.name.is_empty() {
                continue;
            }
            fields.push(Field {
                name: member.name.clone(),
                offset: member.place / 8,
                bits,
                type_,
            });
        }
        Ok(fields)
    }

    /// The type in the size that a variable or field of it is known to have. The strings say neither that an
    /// enumeration is smaller than `int` (`-fshort-enums`) nor that a pointer is larger than two bytes
    /// (`__memx`).
    fn id_of_size(
        &mut self,
        view: usize,
        node: NodeId,
        bytes: u32,
        depth: usize,
    ) -> Result<TypeId, DebugError> {
        let id = self.id(view, node)?;
        let Ok(node) = self.target(view, node)? else {
            return Ok(id);
        };
        let store = self.store;
        let fitted = match &store.nodes[node.0] {
            Node::Enum { .. } if bytes != 0 && bytes != self.builder.size_of(id) => {
                let mut fitted = self.builder.type_(id).clone();
                if let Type::Enum { size, .. } = &mut fitted {
                    *size = bytes;
                }
                fitted
            }
            Node::Pointer { size, target } if *size != bytes && bytes == LONG_POINTER => Type::Pointer {
                size: bytes,
                target: self.id(view, *target)?,
            },
            Node::Array { element, count }
                if *count != 0 && bytes.is_multiple_of(*count) && depth < MOST_DIMENSIONS =>
            {
                let as_written = self.id(view, *element)?;
                let fitted = self.id_of_size(view, *element, bytes / count, depth + 1)?;
                if fitted == as_written {
                    return Ok(id);
                }
                Type::Array {
                    element: fitted,
                    count: *count,
                }
            }
            _ => return Ok(id),
        };
        Ok(self.builder.intern(fitted))
    }

    /// Notes the size of an enumeration; two different ones tell nothing.
    fn measure(&mut self, view: usize, node: NodeId, bytes: u32) -> Result<(), DebugError> {
        let mut node = node;
        let mut bytes = bytes;
        for _ in 0..MOST_DIMENSIONS {
            let Ok(target) = self.target(view, node)? else {
                return Ok(());
            };
            match &self.store.nodes[target.0] {
                Node::Array { element, count } if *count != 0 && bytes.is_multiple_of(*count) => {
                    node = *element;
                    bytes /= count;
                }
                Node::Enum { .. } if bytes.is_power_of_two() => {
                    let known = *self.enum_sizes.entry(target).or_insert(Some(bytes));
                    if known != Some(bytes) {
                        self.enum_sizes.insert(target, None);
                    }
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Notes the sizes of enumerations that variables, of known sizes, and fields have.
    pub(super) fn measure_enums(
        &mut self,
        variables: impl Iterator<Item = (usize, NodeId, u32)>,
    ) -> Result<(), DebugError> {
        for (view, node, bytes) in variables {
            self.measure(view, node, bytes)?;
        }
        for node in &self.store.nodes {
            if let Node::Record { members, .. } = node {
                for member in members.iter().filter(|member| member.width % 8 == 0) {
                    self.measure(0, member.node, member.width / 8)?;
                }
            }
        }
        Ok(())
    }
}
