//! What the engine knows about a function before it runs it: the order in which its locations are
//! executed, its loops, and which variables matter where.
//!
//! Idea: a weak topological order (Bourdoncle, FMPA 1993): a topological order in which each
//! strongly connected part is one element, its head first. Executing pending states smallest first
//! in the order of (loop iteration counts interleaved with positions) lets all paths that meet at a
//! location, in the same iteration of each loop, merge into one state before it is executed.
//!
//! Invariant: in the order, an edge that does not go forward enters the head of a loop that
//! contains its source.

use std::rc::Rc;

use kripke_elts::{
    Callee, Expr, Function, FunctionId, Id, IdVec, LocationId, Program, Statement, StatementKind, StopReason,
    Transition, VariableId,
};
use kripke_graph::Edge;

/// A loop of a function.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where each iteration starts.
    pub head: LocationId,
    /// The loops around it, outermost first, itself last.
    pub chain: Vec<u32>,
    /// Counts from 1 in the order of the heads: how `--unwindset` names it.
    pub number: u32,
    /// Some transition enters it elsewhere than at its head (a `goto` into its body): then its first
    /// iteration may have no beginning.
    pub entered_inside: bool,
    /// Some transition leaves it, and the program goes on.
    pub has_exit: bool,
}

/// The order, loops and live variables of one function.
#[derive(Debug, Default)]
pub struct Graph {
    /// Position of each location in the weak topological order.
    pub position: Vec<u32>,
    /// The location at each position.
    pub order: Vec<LocationId>,
    /// The innermost loop that contains each location.
    pub innermost: Vec<Option<u32>>,
    /// All loops, by rising position of their heads.
    pub loops: Vec<Loop>,
    /// The variables whose values matter on entry to each location.
    pub live: Vec<Rc<VariableSet>>,
    /// From which locations every way ends in an abort.
    aborting: Vec<bool>,
}

impl Graph {
    /// The location where a state with a key waits.
    ///
    /// # Panics
    /// On a key that is empty: it is none.
    pub fn location(&self, key: &[u32]) -> LocationId {
        self.order[*key.last().expect("a key ends with a position") as usize]
    }

    /// The loop whose iterations start at a location.
    pub fn headed_by(&self, location: LocationId) -> Option<u32> {
        let of = self.innermost[location.index()]?;
        (self.loops[of as usize].head == location).then_some(of)
    }

    /// Analyses a function.
    pub fn new(function: &Function) -> Self {
        let mut graph = Graph {
            position: vec![u32::MAX; function.locations.len()],
            order: Vec::new(),
            innermost: vec![None; function.locations.len()],
            loops: Vec::new(),
            live: Vec::new(),
            aborting: aborting(function),
        };
        if function.locations.is_empty() {
            return graph;
        }
        let successors: Vec<Vec<usize>> = function
            .locations
            .iter()
            .map(|location| {
                location
                    .transitions
                    .iter()
                    .map(|transition| transition.target.index())
                    .collect()
            })
            .collect();
        Order {
            graph: &mut graph,
            successors: &successors,
            next: 0,
        }
        .run(function.entry.index());
        graph.find_entries(&successors);
        graph.find_exits(function);
        graph.live = live_variables(function, &graph);
        graph
    }

    /// Notes which loops are entered elsewhere than at their heads.
    fn find_entries(&mut self, successors: &[Vec<usize>]) {
        for source in self.order.clone() {
            for &target in &successors[source.index()] {
                let target = LocationId::new(target);
                for of in self.chain(target).to_vec() {
                    let inside = self.loops[of as usize].head != target && !self.contains(of, source);
                    self.loops[of as usize].entered_inside |= inside;
                }
            }
        }
    }

    /// Notes which loops can be left.
    fn find_exits(&mut self, function: &Function) {
        for source in self.order.clone() {
            for transition in &function.locations[source].transitions {
                for of in self.chain(source).to_vec() {
                    self.loops[of as usize].has_exit |= self.is_exit(of, transition);
                }
            }
        }
    }

    /// The loops that contain a location, outermost first.
    pub fn chain(&self, location: LocationId) -> &[u32] {
        match self.innermost[location.index()] {
            Some(innermost) => &self.loops[innermost as usize].chain,
            None => &[],
        }
    }

    /// Is the location in the loop?
    pub fn contains(&self, of: u32, location: LocationId) -> bool {
        self.chain(location).contains(&of)
    }

    /// Does this transition, which begins in the loop, leave it, and the program goes on? A failed assertion
    /// is no way to end a loop.
    pub fn is_exit(&self, of: u32, transition: &Transition) -> bool {
        !self.contains(of, transition.target) && !aborts(transition, &self.aborting)
    }
}

struct Order<'a> {
    graph: &'a mut Graph,
    successors: &'a [Vec<usize>],
    next: u32,
}

/// One pending piece of the order: the component's members, or a location to place.
enum Piece {
    Place(usize),
    Component {
        head: usize,
        members: Vec<usize>,
        chain: Vec<u32>,
    },
}

impl Order<'_> {
    fn run(&mut self, entry: usize) {
        let everything = vec![true; self.successors.len()];
        let mut work = self.pieces(entry, &everything, usize::MAX, &[]);
        work.reverse();
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Place(location) => self.place(location),
                Piece::Component {
                    head,
                    members,
                    mut chain,
                } => {
                    let index = self.graph.loops.len() as u32;
                    chain.push(index);
                    for member in &members {
                        self.graph.innermost[*member] = Some(index);
                    }
                    let mut inside = vec![false; self.successors.len()];
                    for member in &members {
                        inside[*member] = true;
                    }
                    self.graph.loops.push(Loop {
                        head: LocationId::new(head),
                        chain: chain.clone(),
                        number: index + 1,
                        entered_inside: false,
                        has_exit: false,
                    });
                    self.place(head);
                    let mut inner = self.pieces(head, &inside, head, &chain);
                    inner.retain(|piece| !matches!(piece, Piece::Place(location) if *location == head));
                    work.extend(inner.into_iter().rev());
                }
            }
        }
    }

    fn place(&mut self, location: usize) {
        self.graph.position[location] = self.next;
        self.graph.order.push(LocationId::new(location));
        self.next += 1;
    }

    /// The strongly connected components of the part `inside`, without the edges into `cut`, in topological
    /// order.
    fn pieces(&self, start: usize, inside: &[bool], cut: usize, chain: &[u32]) -> Vec<Piece> {
        let size = self.successors.len();
        let others = (0..size).filter(|location| cut != usize::MAX && inside[*location]);
        let roots = std::iter::once(start).chain(others);
        let found = kripke_graph::components(size, roots, |node, position| {
            // Successors are taken last first, so that the order follows the source where it can.
            match self.successors[node].iter().rev().nth(position) {
                None => Edge::End,
                Some(&target) if inside[target] && target != cut => Edge::To(target),
                Some(_) => Edge::Skipped,
            }
        });
        let piece = |members: Vec<usize>| {
            let head = members[0];
            match members.len() > 1 || (head != cut && self.successors[head].contains(&head)) {
                true => Piece::Component {
                    head,
                    members,
                    chain: chain.to_vec(),
                },
                false => Piece::Place(head),
            }
        };
        found.into_iter().rev().map(piece).collect()
    }
}

/// A set of variables, one bit each.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct VariableSet {
    words: Vec<u64>,
}

impl VariableSet {
    fn new(size: usize) -> Self {
        VariableSet {
            words: vec![0; size.div_ceil(64)],
        }
    }

    /// Is it in?
    pub fn contains(&self, index: u64) -> bool {
        self.words
            .get((index / 64) as usize)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn insert(&mut self, variable: VariableId) {
        self.words[variable.index() / 64] |= 1 << (variable.index() % 64);
    }

    fn remove(&mut self, variable: VariableId) {
        self.words[variable.index() / 64] &= !(1 << (variable.index() % 64));
    }

    fn union(&mut self, other: &VariableSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }
}

/// From which locations every way ends in an abort.
fn aborting(function: &Function) -> Vec<bool> {
    let mut aborting = vec![false; function.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, location) in function.locations.iter().enumerate().rev() {
            let mut ways = location.transitions.iter();
            let new = !aborting[index] && ways.len() > 0 && ways.all(|way| aborts(way, &aborting));
            aborting[index] |= new;
            changed |= new;
        }
    }
    aborting
}

fn aborts(transition: &Transition, aborting: &[bool]) -> bool {
    let stops = |statement: &Statement| {
        matches!(
            statement.kind,
            StatementKind::Stop {
                reason: StopReason::Abort,
                ..
            }
        )
    };
    aborting[transition.target.index()] || transition.statements.iter().any(stops)
}

fn live_variables(function: &Function, graph: &Graph) -> Vec<Rc<VariableSet>> {
    let count = function.variables.len();
    let mut live: Vec<VariableSet> = vec![VariableSet::new(count); function.locations.len()];
    for result in &function.results {
        live[function.exit.index()].insert(*result);
    }
    let mut order: Vec<usize> = (0..function.locations.len()).collect();
    order.sort_by_key(|location| std::cmp::Reverse(graph.position[*location]));
    let mut changed = true;
    while changed {
        changed = false;
        for &index in &order {
            let mut set = VariableSet::new(count);
            if index == function.exit.index() {
                set.union(&live[index]);
            }
            for transition in &function.locations[LocationId::new(index)].transitions {
                let mut after = live[transition.target.index()].clone();
                for statement in transition.statements.iter().rev() {
                    if let Some(target) = assigned(statement) {
                        target.iter().for_each(|variable| after.remove(*variable));
                    }
                    visit_used(statement, &mut |variable| after.insert(variable));
                }
                visit_variables(&transition.guard, &mut |variable| after.insert(variable));
                set.union(&after);
            }
            if set != live[index] {
                live[index] = set;
                changed = true;
            }
        }
    }
    live.into_iter().map(Rc::new).collect()
}

/// The variables that a statement gives a value.
pub fn assigned(statement: &Statement) -> Option<Vec<VariableId>> {
    match &statement.kind {
        StatementKind::Assign { target, .. }
        | StatementKind::Load { target, .. }
        | StatementKind::StackObject { target, .. }
        | StatementKind::HeapObject { target, .. }
        | StatementKind::Nondet { target, .. }
        | StatementKind::Math { target, .. }
        | StatementKind::GetRounding { target } => Some(vec![*target]),
        StatementKind::Output { target, .. } => target.map(|target| vec![target]),
        StatementKind::Call { results, .. } => Some(results.clone()),
        _ => None,
    }
}

fn visit_used(statement: &Statement, visit: &mut impl FnMut(VariableId)) {
    match &statement.kind {
        StatementKind::Assign { value: expr, .. }
        | StatementKind::Load { address: expr, .. }
        | StatementKind::StackObject { size: expr, .. }
        | StatementKind::HeapObject { size: expr, .. }
        | StatementKind::Free { pointer: expr, .. }
        | StatementKind::EndObject { pointer: expr }
        | StatementKind::Assume { condition: expr }
        | StatementKind::Assert { condition: expr, .. }
        | StatementKind::SetRounding { mode: expr } => visit_variables(expr, visit),
        StatementKind::Store { address, value, .. } => {
            visit_variables(address, visit);
            visit_variables(value, visit);
        }
        StatementKind::CopyMemory {
            target,
            source,
            length,
            ..
        } => {
            [target, source, length]
                .into_iter()
                .for_each(|expr| visit_variables(expr, visit));
        }
        StatementKind::SetMemory {
            target,
            value,
            length,
            ..
        } => {
            [target, value, length]
                .into_iter()
                .for_each(|expr| visit_variables(expr, visit));
        }
        StatementKind::Call {
            callee, arguments, ..
        } => {
            if let Callee::Indirect(pointer) = callee {
                visit_variables(pointer, visit);
            }
            arguments.iter().for_each(|expr| visit_variables(expr, visit));
        }
        StatementKind::Output { arguments, .. } | StatementKind::Math { arguments, .. } => {
            arguments.iter().for_each(|expr| visit_variables(expr, visit));
        }
        StatementKind::Nondet { .. }
        | StatementKind::GetRounding { .. }
        | StatementKind::Stop { .. }
        | StatementKind::Unsupported { .. }
        | StatementKind::Note { .. } => {}
    }
}

/// Calls `visit` for each variable that an expression reads.
pub fn visit_variables(expr: &Expr, visit: &mut impl FnMut(VariableId)) {
    match expr {
        Expr::Int(_) | Expr::Float(_) | Expr::Null | Expr::GlobalAddress(_) | Expr::FunctionAddress(_) => {}
        Expr::Variable(variable) => visit(*variable),
        Expr::Unary(_, a) | Expr::Cast(_, a, _) | Expr::ObjectSize(a) | Expr::PointerOffset(a) => {
            visit_variables(a, visit);
        }
        Expr::Extract { value, .. } => visit_variables(value, visit),
        Expr::Binary(_, a, b) | Expr::PointerAdd(a, b) | Expr::SameObject(a, b) | Expr::Concat(a, b) => {
            visit_variables(a, visit);
            visit_variables(b, visit);
        }
        Expr::Fma(a, b, c) | Expr::Select(a, b, c) => {
            visit_variables(a, visit);
            visit_variables(b, visit);
            visit_variables(c, visit);
        }
    }
}

/// The graphs of all functions of a program, analysed when first asked for.
pub struct Graphs {
    graphs: IdVec<FunctionId, Option<Rc<Graph>>>,
}

impl Graphs {
    /// None analysed yet.
    pub fn new(program: &Program) -> Self {
        Graphs {
            graphs: vec![None; program.functions.len()].into(),
        }
    }

    /// The graph of a function, where it is analysed already.
    pub fn known(&self, function: FunctionId) -> Option<&Graph> {
        self.graphs[function].as_deref()
    }

    /// The graph of a function.
    pub fn get(&mut self, program: &Program, function: FunctionId) -> Rc<Graph> {
        let slot = &mut self.graphs[function];
        slot.get_or_insert_with(|| Rc::new(Graph::new(&program.functions[function])))
            .clone()
    }
}
