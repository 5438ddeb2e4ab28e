//! The control flow graph of machine code.
//!
//! Idea: the nodes are the instructions that can be reached from reset and from the handlers of interrupts,
//! named by their word addresses; the edges are those that [`crate::flow`] found, so computed jumps are in
//! it. Instructions belong to the function whose symbol contains them; where there is no symbol, to the entry
//! from which they are reached.
//!
//! Invariants: successors and predecessors mirror each other and are ascending; every node is in one function
//! and in one block; a block is entered at its first instruction and left at its last only. A call does not
//! end a block: what its callee does lies between two instructions of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::device::Device;
use crate::disassemble::place;
use crate::flow::{self, EdgeKind, Flow, Given, Start};
use crate::image::{Image, Space};
use crate::instruction::Instruction;

/// An instruction in the graph.
#[derive(Debug, Clone)]
pub struct Node {
    /// The instruction.
    pub instruction: Instruction,
    /// Where control goes, and how.
    pub successors: Vec<(u32, EdgeKind)>,
    /// Where control comes from, and how.
    pub predecessors: Vec<(u32, EdgeKind)>,
    /// Entries of the functions it calls.
    pub calls: BTreeSet<u32>,
    /// Index of its function.
    pub function: usize,
    /// Index of its block.
    pub block: usize,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Word address of the first instruction.
    pub entry: u32,
    /// The symbol's name, or one made of the address.
    pub name: String,
    /// Why control begins there; functions that are only jumped to have none.
    pub start: Option<Start>,
    /// Indices of its blocks, ascending by address.
    pub blocks: Vec<usize>,
    /// Indices of the functions that it calls.
    pub callees: BTreeSet<usize>,
    /// Indices of the functions that call it.
    pub callers: BTreeSet<usize>,
}

/// A basic block.
#[derive(Debug, Clone)]
pub struct Block {
    /// Word addresses of its instructions, in the order of execution.
    pub locations: Vec<u32>,
    /// Index of its function.
    pub function: usize,
    /// Indices of the blocks behind it, and how control gets there.
    pub successors: Vec<(usize, EdgeKind)>,
    /// Indices of the blocks before it.
    pub predecessors: Vec<usize>,
}

impl Block {
    /// The word address of its first instruction.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.locations.first().copied().unwrap_or_default()
    }
}

/// The graph.
#[derive(Debug, Clone)]
pub struct Cfg {
    /// Nodes by word address.
    pub nodes: BTreeMap<u32, Node>,
    /// Functions, ascending by entry.
    pub functions: Vec<Function>,
    /// Basic blocks, ascending by address.
    pub blocks: Vec<Block>,
    /// What the graph was made of.
    pub flow: Flow,
}

impl Cfg {
    /// The graph of an image.
    #[must_use]
    pub fn new(image: &Image, device: &Device) -> Self {
        Self::given(image, device, &Given::default())
    }

    /// The graph of an image, with what the user vouches for.
    #[must_use]
    pub fn given(image: &Image, device: &Device, given: &Given) -> Self {
        let flow = flow::analyse(image, device, given);
        let mut nodes = nodes(&flow);
        let functions = assign_functions(&mut nodes, &flow, image, device);
        let mut cfg = Self {
            nodes,
            functions,
            blocks: Vec::new(),
            flow,
        };
        cfg.link_calls();
        cfg.make_blocks();
        cfg
    }

    /// The function that an instruction belongs to.
    #[must_use]
    pub fn function_of(&self, location: u32) -> Option<&Function> {
        self.functions.get(self.nodes.get(&location)?.function)
    }

    /// The blocks of a function, so that a block comes before its successors except on edges back. Blocks
    /// that are entered from other functions only come after the others.
    #[must_use]
    pub fn reverse_postorder(&self, function: usize) -> Vec<usize> {
        let Some(function) = self.functions.get(function) else {
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let mut order = Vec::new();
        let first = self.nodes.get(&function.entry).map(|node| node.block);
        // The other beginnings first: the order is reversed at the end.
        let others = function
            .blocks
            .iter()
            .copied()
            .filter(|block| Some(*block) != first);
        let roots: Vec<usize> = first.into_iter().chain(others).collect();
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for root in roots {
            let mut postorder = Vec::new();
            self.postorder(root, function, &mut seen, &mut postorder);
            postorder.reverse();
            orders.push(postorder);
        }
        order.extend(orders.into_iter().flatten());
        order
    }

    fn postorder(
        &self,
        root: usize,
        function: &Function,
        seen: &mut BTreeSet<usize>,
        order: &mut Vec<usize>,
    ) {
        if !seen.insert(root) {
            return;
        }
        let mut path = vec![(root, 0)];
        while let Some((block, index)) = path.last_mut() {
            let Some((next, _)) = self.blocks[*block].successors.get(*index) else {
                order.push(*block);
                path.pop();
                continue;
            };
            *index += 1;
            if function.blocks.binary_search(next).is_ok() && seen.insert(*next) {
                path.push((*next, 0));
            }
        }
    }

    fn link_calls(&mut self) {
        let by_entry: BTreeMap<u32, usize> = self
            .functions
            .iter()
            .enumerate()
            .map(|(index, function)| (function.entry, index))
            .collect();
        let of = |entry: &u32, nodes: &BTreeMap<u32, Node>| {
            by_entry
                .get(entry)
                .copied()
                .or_else(|| nodes.get(entry).map(|node| node.function))
        };
        let mut links = Vec::new();
        for node in self.nodes.values() {
            links.extend(
                node.calls
                    .iter()
                    .filter_map(|entry| Some((node.function, of(entry, &self.nodes)?))),
            );
        }
        for (caller, callee) in links {
            self.functions[caller].callees.insert(callee);
            self.functions[callee].callers.insert(caller);
        }
    }

    fn make_blocks(&mut self) {
        let entries: BTreeSet<u32> = self.functions.iter().map(|function| function.entry).collect();
        let called: BTreeSet<u32> = self
            .nodes
            .values()
            .flat_map(|node| node.calls.iter().copied())
            .collect();
        let begins = |at: u32, node: &Node| {
            let [(before, kind)] = node.predecessors[..] else {
                return true;
            };
            let is_alone = self.nodes[&before].successors.len() == 1;
            !matches!(kind, EdgeKind::Next | EdgeKind::Return)
                || !is_alone
                || self.nodes[&before].function != node.function
                || entries.contains(&at)
                || called.contains(&at)
        };
        let leaders: BTreeSet<u32> = self
            .nodes
            .iter()
            .filter(|(at, node)| begins(**at, node))
            .map(|(at, _)| *at)
            .collect();
        for leader in &leaders {
            let index = self.blocks.len();
            let mut locations = vec![*leader];
            let mut last = *leader;
            while let [(next, _)] = self.nodes[&last].successors[..]
                && !leaders.contains(&next)
            {
                locations.push(next);
                last = next;
            }
            let function = self.nodes[leader].function;
            for location in &locations {
                if let Some(node) = self.nodes.get_mut(location) {
                    node.block = index;
                }
            }
            self.functions[function].blocks.push(index);
            self.blocks.push(Block {
                locations,
                function,
                successors: Vec::new(),
                predecessors: Vec::new(),
            });
        }
        self.link_blocks();
    }

    fn link_blocks(&mut self) {
        for index in 0..self.blocks.len() {
            let Some(last) = self.blocks[index].locations.last() else {
                continue;
            };
            let successors: Vec<(usize, EdgeKind)> = self.nodes[last]
                .successors
                .iter()
                .map(|(to, kind)| (self.nodes[to].block, *kind))
                .collect();
            for (next, _) in &successors {
                if !self.blocks[*next].predecessors.contains(&index) {
                    self.blocks[*next].predecessors.push(index);
                }
            }
            self.blocks[index].successors = successors;
        }
    }
}

fn nodes(flow: &Flow) -> BTreeMap<u32, Node> {
    let mut nodes = BTreeMap::new();
    let points = flow
        .activations
        .values()
        .flat_map(|activation| &activation.points);
    for point in points {
        nodes.entry(point.at).or_insert_with(|| Node {
            instruction: flow.program[point.at as usize],
            successors: Vec::new(),
            predecessors: Vec::new(),
            calls: BTreeSet::new(),
            function: usize::MAX,
            block: usize::MAX,
        });
    }
    for (from, to, kind) in &flow.edges {
        if !nodes.contains_key(to) {
            continue;
        }
        if let Some(node) = nodes.get_mut(from) {
            node.successors.push((*to, *kind));
        }
        if let Some(node) = nodes.get_mut(to) {
            node.predecessors.push((*from, *kind));
        }
    }
    for call in flow.activations.values().flat_map(|activation| &activation.calls) {
        if let Some(node) = nodes.get_mut(&call.at) {
            node.calls.extend(&call.targets);
        }
    }
    nodes
}

/// Gives every node a function.
fn assign_functions(
    nodes: &mut BTreeMap<u32, Node>,
    flow: &Flow,
    image: &Image,
    device: &Device,
) -> Vec<Function> {
    let symbol = |at: u32| {
        image
            .function_at(at * 2)
            .filter(|symbol| symbol.size > 0)
            .map(|symbol| symbol.address / 2)
    };
    let mut entry_of: BTreeMap<u32, u32> = BTreeMap::new();
    for at in nodes.keys() {
        if let Some(entry) = symbol(*at) {
            entry_of.insert(*at, entry);
        }
    }
    // Code without a sized symbol that a function jumps to (shared prologues, __tablejump2__) is a function
    // of its own.
    let is_shared = |at: &u32, node: &Node| {
        let from_function = |(from, _): &(u32, EdgeKind)| entry_of.contains_key(from);
        !entry_of.contains_key(at) && node.predecessors.iter().any(from_function)
    };
    let shared = nodes.iter().filter(|(at, node)| is_shared(at, node));
    let starts: BTreeSet<u32> = shared
        .map(|(at, _)| *at)
        .chain(flow.activations.keys().copied())
        .collect();
    for entry in &starts {
        let mut open = vec![*entry];
        while let Some(at) = open.pop() {
            if !nodes.contains_key(&at) || entry_of.contains_key(&at) {
                continue;
            }
            entry_of.insert(at, *entry);
            let stays = |to: &&(u32, EdgeKind)| to.0 == *entry || !starts.contains(&to.0);
            open.extend(nodes[&at].successors.iter().filter(stays).map(|(to, _)| *to));
        }
    }
    let entries: BTreeSet<u32> = entry_of.values().copied().collect();
    let index_of: BTreeMap<u32, usize> = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| (*entry, index))
        .collect();
    for (at, node) in nodes.iter_mut() {
        let entry = entry_of.get(at).unwrap_or(at);
        node.function = index_of.get(entry).copied().unwrap_or_default();
    }
    entries
        .into_iter()
        .map(|entry| Function {
            entry,
            name: function_name(entry, flow, image, device),
            start: flow
                .activations
                .get(&entry)
                .map(|activation| activation.start)
                .or_else(|| handler_start(entry, flow, nodes)),
            blocks: Vec::new(),
            callees: BTreeSet::new(),
            callers: BTreeSet::new(),
        })
        .collect()
}

/// A function that a vector jumps to is that interrupt's handler.
fn handler_start(entry: u32, flow: &Flow, nodes: &BTreeMap<u32, Node>) -> Option<Start> {
    let before = nodes.get(&entry)?.predecessors.iter().map(|(from, _)| *from);
    let mut vectors = before.filter_map(|from| flow.handlers.iter().find(|(_, word)| *word == from));
    vectors.next().map(|(index, _)| Start::Interrupt(*index))
}

/// The name of the function that begins at a word address.
#[must_use]
pub fn function_name(entry: u32, flow: &Flow, image: &Image, device: &Device) -> String {
    if entry == 0 {
        return "reset".to_owned();
    }
    if let Some((index, _)) = flow.handlers.iter().find(|(_, word)| *word == entry) {
        return format!("vector {}", device.vectors[*index].name);
    }
    let mut named = image
        .symbols
        .iter()
        .filter(|symbol| symbol.space == Space::Flash && symbol.address == entry * 2);
    let best = named
        .clone()
        .find(|symbol| symbol.size > 0)
        .or_else(|| named.next());
    match best {
        Some(symbol) => symbol.readable().into_owned(),
        None => place(image, entry * 2).unwrap_or_else(|| format!("{:#06x}", entry * 2)),
    }
}
