//! Types as the strings of stabs define them.
//!
//! Invariant: a node refers to other types by node, and to numbered ones by key, so that the later completion
//! of a type takes effect wherever the key occurs.

use std::collections::HashMap;

/// Where type numbers are counted: a unit, or a header's kept copy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Space(usize);

/// A numbered type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) space: Space,
    pub(super) number: u32,
}

/// Index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) usize);

/// A member of a record.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    /// First bit, and number of bits.
    pub(super) place: u32,
    pub(super) width: u32,
    pub(super) node: NodeId,
}

/// A type as it is written.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Reference(Key),
    Integer {
        name: String,
        size: u32,
        signed: bool,
    },
    Float {
        name: String,
        size: u32,
    },
    Boolean {
        size: u32,
    },
    Pointer {
        size: u32,
        target: NodeId,
    },
    Array {
        element: NodeId,
        count: u32,
    },
    Record {
        name: String,
        size: u32,
        is_union: bool,
        members: Vec<Member>,
    },
    Enum {
        name: String,
        size: u32,
        enumerators: Vec<(String, i64)>,
    },
    /// A structure, union (or else an enumeration) that is defined elsewhere or nowhere.
    Incomplete {
        name: String,
        is_union: Option<bool>,
    },
    Function,
    Unknown {
        size: u32,
    },
}

/// All types.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) nodes: Vec<Node>,
    /// The headers' names by space; none for a unit's own.
    headers: Vec<Option<Vec<u8>>>,
    references: HashMap<Key, NodeId>,
    /// What the text of a space (the second) says a key means.
    definitions: HashMap<(Key, Space), NodeId>,
    /// The spaces whose text defines a key, in their order.
    writers: HashMap<Key, Vec<Space>>,
}

impl Store {
    /// A new space, of a header or a unit.
    pub(super) fn space(&mut self, header: Option<&[u8]>) -> Space {
        self.headers.push(header.map(<[u8]>::to_vec));
        Space(self.headers.len() - 1)
    }

    /// The name of the header whose space it is.
    pub(super) fn header(&self, space: Space) -> Option<&[u8]> {
        self.headers.get(space.0)?.as_deref()
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    pub(super) fn reference(&mut self, key: Key) -> NodeId {
        if let Some(node) = self.references.get(&key) {
            return *node;
        }
        let node = self.add(Node::Reference(key));
        self.references.insert(key, node);
        node
    }

    /// Lets a key mean a node in the text of a space; a mere declaration does not replace a definition.
    pub(super) fn define(&mut self, writer: Space, key: Key, node: NodeId) {
        if let Some(known) = self.definitions.get_mut(&(key, writer)) {
            if !matches!(self.nodes[node.0], Node::Incomplete { .. }) {
                *known = node;
            }
            return;
        }
        self.definitions.insert((key, writer), node);
        self.writers.entry(key).or_default().push(writer);
    }

    pub(super) fn definition(&self, writer: Space, key: Key) -> Option<NodeId> {
        self.definitions.get(&(key, writer)).copied()
    }

    pub(super) fn writers(&self, key: Key) -> &[Space] {
        self.writers.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Gives a name to a type that has none yet. A type definition of C for a structure refers to one with a
    /// number of its own, and does not name it; in C++ it is the tag.
    pub(super) fn name(&mut self, writer: Space, node: NodeId, text: &str) {
        let mut node = node;
        if let Node::Reference(key) = self.nodes[node.0] {
            match self.definition(writer, key) {
                Some(definition) => node = definition,
                None => return,
            }
        }
        if let Node::Integer { name, .. }
        | Node::Float { name, .. }
        | Node::Record { name, .. }
        | Node::Enum { name, .. } = &mut self.nodes[node.0]
            && name.is_empty()
        {
            text.clone_into(name);
        }
    }
}
