//! The functions that let handlers come.
//!
//! One for each priority that something interrupts. It loops: while any handler above that priority is
//! enabled, an arbitrary one of them runs, or the loop ends. Where threads run it is called again and again
//! itself, and one of them runs, or none.

use kripke_elts::interrupts::{DISPATCHER, ENDLESS_DISPATCHER};
use kripke_elts::{
    BinaryOp, Expr, Function, FunctionId, GlobalId, Id, IdVec, Location, LocationId, Position, Statement,
    StatementKind, Transition, Type, VariableId,
};

use crate::control::FLAG;
use crate::gates::Gate;
use crate::terms::{and, assign, binary, call, choose, int, load, not, or, select, store, temporary, truth};

/// A handler as a dispatcher sees it.
pub struct Candidate {
    /// The copy that runs.
    pub function: FunctionId,
    /// What must be so for it to come.
    pub gates: Vec<Gate>,
    /// How often it has come, and how often it may.
    pub count: Option<(GlobalId, u32)>,
    /// Something else ends that it comes again and again.
    pub is_bounded: bool,
    pub returning: Returning,
    /// What is done before it runs.
    pub begins: Vec<StatementKind>,
    /// It comes while all are disabled, too.
    pub is_unmaskable: bool,
}

/// What the return from a handler does to the flag of all interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returning {
    /// Leaves it as the handler left it.
    Leaves,
    /// Restores what it was before.
    Restores,
    /// Restores or leaves it.
    Any,
}

/// The type of the counts.
pub const COUNT: Type = Type::Int(32);

/// How a dispatcher works.
pub struct Plan {
    /// The priority that it interrupts, by its place.
    pub level: usize,
    pub candidates: Vec<Candidate>,
    /// Set where interrupts are enabled.
    pub flag: GlobalId,
    /// It lets one handler come, or none.
    pub is_single: bool,
    /// Called before a handler comes, where threads run: there states of different choices stay apart.
    pub chosen: Option<FunctionId>,
    /// Its loop ends after some number of handlers, so that no run stays in it for ever.
    pub is_finite: bool,
    /// The handlers do what cannot be followed.
    pub unsupported: Option<String>,
    pub position: Position,
}

struct Builder {
    variables: IdVec<VariableId, kripke_elts::Variable>,
    position: Position,
}

impl Builder {
    fn variable(&mut self, name: &str, ty: Type) -> VariableId {
        let name = format!("{name}.{}", self.variables.len());
        self.variables.push(temporary(name, ty))
    }

    fn transition(&self, guard: Expr, kinds: Vec<StatementKind>, target: usize) -> Transition {
        let statements = kinds.into_iter().map(|kind| Statement {
            kind,
            position: self.position,
        });
        Transition {
            guard,
            statements: statements.collect(),
            target: LocationId::new(target),
            position: self.position,
        }
    }
}

/// The locations of a dispatcher.
const START: usize = 0;
const HEAD: usize = 1;
const OPEN: usize = 2;
const PICK: usize = 3;
const EXIT: usize = 4;

/// Writes a dispatcher.
pub fn write(plan: &Plan) -> Function {
    let mut builder = Builder {
        variables: IdVec::new(),
        position: plan.position,
    };
    let bounded = |candidate: &Candidate| candidate.count.is_some() || candidate.is_bounded;
    let is_bounded = plan.is_single || plan.candidates.iter().all(bounded);
    let budget = (plan.is_finite && !plan.is_single).then(|| builder.variable("left", Type::Int(64)));
    let begin = budget.map(choose).into_iter().collect();
    let (loads, chances) = chances(plan, &mut builder);
    let width = u32::BITS - (plan.candidates.len() as u32).leading_zeros();
    let choice = builder.variable("choice", Type::Int(width));
    let mut possible = { chances.iter().map(|chance| chance.may.clone()) }
        .reduce(or)
        .unwrap_or(truth(false));
    if let Some(budget) = budget {
        let left = binary(BinaryOp::Ne, Expr::Variable(budget), int(64, 0));
        possible = and(possible, left);
    }
    let locations = [
        vec![builder.transition(truth(true), begin, HEAD)],
        vec![builder.transition(truth(true), loads, OPEN)],
        vec![
            builder.transition(possible.clone(), vec![choose(choice)], PICK),
            builder.transition(not(possible), Vec::new(), EXIT),
        ],
        pick(plan, &mut builder, &chances, (choice, width), budget),
        Vec::new(),
    ];
    let names = ["start", "head", "open", "pick", "exit"];
    let locations = names
        .into_iter()
        .zip(locations)
        .map(|(name, transitions)| Location {
            name: name.to_owned(),
            transitions,
            position: plan.position,
        });
    Function {
        name: format!(
            "{} at {}",
            if is_bounded {
                DISPATCHER
            } else {
                ENDLESS_DISPATCHER
            },
            plan.level
        ),
        parameters: Vec::new(),
        results: Vec::new(),
        variables: builder.variables,
        locations: IdVec::from(locations.collect::<Vec<_>>()),
        entry: LocationId::new(START),
        exit: LocationId::new(EXIT),
        position: plan.position,
        variadic: false,
    }
}

/// Writes what lets none come, or some whose coming is not followed.
pub fn write_not_followed(what: &str, position: Position) -> Function {
    let mut builder = Builder {
        variables: IdVec::new(),
        position,
    };
    let comes = builder.variable("comes", Type::BOOL);
    let what = what.to_owned();
    let chosen = Expr::Variable(comes);
    let locations = [
        (
            "start",
            vec![builder.transition(truth(true), vec![choose(comes)], 1)],
        ),
        (
            "head",
            vec![
                builder.transition(chosen.clone(), vec![StatementKind::Unsupported { what }], 2),
                builder.transition(not(chosen), Vec::new(), 2),
            ],
        ),
        ("exit", Vec::new()),
    ];
    let locations = locations.into_iter().map(|(name, transitions)| Location {
        name: name.to_owned(),
        transitions,
        position,
    });
    Function {
        name: format!("{DISPATCHER} that is not followed"),
        parameters: Vec::new(),
        results: Vec::new(),
        variables: builder.variables,
        locations: IdVec::from(locations.collect::<Vec<_>>()),
        entry: LocationId::new(0),
        exit: LocationId::new(2),
        position,
        variadic: false,
    }
}

/// When a candidate may come.
struct Chance {
    may: Expr,
    count: Option<VariableId>,
}

/// Loads what says whether the handlers may come; and for each when it may.
fn chances(plan: &Plan, builder: &mut Builder) -> (Vec<StatementKind>, Vec<Chance>) {
    let mut loads = Vec::new();
    let mut known: Vec<(Gate, Expr)> = Vec::new();
    let mut chances = Vec::new();
    for candidate in &plan.candidates {
        let mut may = truth(true);
        for gate in &candidate.gates {
            let found = known.iter().find(|(other, _)| other == gate);
            let open = found.map(|(_, open)| open.clone()).unwrap_or_else(|| {
                let open = gate.is_open(&mut |ty, make| {
                    let value = builder.variable("enabled", ty);
                    loads.push(make(value));
                    value
                });
                known.push((*gate, open.clone()));
                open
            });
            may = and(may, open);
        }
        let count = candidate.count.map(|(global, bound)| {
            let count = builder.variable("count", COUNT);
            loads.push(load(count, global));
            let left = binary(BinaryOp::ULt, Expr::Variable(count), int(32, u128::from(bound)));
            may = and(may.clone(), left);
            count
        });
        chances.push(Chance { may, count });
    }
    (loads, chances)
}

/// For each handler the way through it; and the way out.
fn pick(
    plan: &Plan,
    builder: &mut Builder,
    chances: &[Chance],
    (choice, width): (VariableId, u32),
    budget: Option<VariableId>,
) -> Vec<Transition> {
    let mut ways = Vec::new();
    let mut none = truth(true);
    for (index, (candidate, chance)) in plan.candidates.iter().zip(chances).enumerate() {
        let chosen = binary(
            BinaryOp::Eq,
            Expr::Variable(choice),
            int(width, index as u128 + 1),
        );
        let comes = and(chosen, chance.may.clone());
        none = and(none, not(comes.clone()));
        let mut kinds: Vec<StatementKind> = plan.chosen.map(call).into_iter().collect();
        if let Some(budget) = budget {
            let less = binary(BinaryOp::Sub, Expr::Variable(budget), int(64, 1));
            kinds.push(assign(budget, less));
        }
        if let Some(what) = &plan.unsupported {
            kinds.push(StatementKind::Unsupported { what: what.clone() });
        }
        if let Some(((global, _), count)) = candidate.count.zip(chance.count) {
            let more = binary(BinaryOp::Add, Expr::Variable(count), int(32, 1));
            kinds.push(store(global, more, COUNT));
        }
        // It was set before what it keeps from coming.
        let before = match candidate.is_unmaskable && candidate.returning != Returning::Leaves {
            false => int(8, 1),
            true => {
                let before = builder.variable("before.enabled", FLAG);
                kinds.push(load(before, plan.flag));
                Expr::Variable(before)
            }
        };
        kinds.extend(candidate.begins.iter().cloned());
        kinds.push(call(candidate.function));
        kinds.extend(returns(plan.flag, candidate.returning, before, builder));
        let then = if plan.is_single { EXIT } else { HEAD };
        ways.push(builder.transition(comes, kinds, then));
    }
    ways.push(builder.transition(none, Vec::new(), EXIT));
    ways
}

/// What the return from a handler does to the flag, with the value that it had before.
fn returns(flag: GlobalId, returning: Returning, before: Expr, builder: &mut Builder) -> Vec<StatementKind> {
    match returning {
        Returning::Leaves => Vec::new(),
        Returning::Restores => vec![store(flag, before, FLAG)],
        Returning::Any => {
            let left = builder.variable("left.enabled", FLAG);
            let sets = builder.variable("return.enables", Type::BOOL);
            let value = select(Expr::Variable(sets), before, Expr::Variable(left));
            vec![load(left, flag), choose(sets), store(flag, value, FLAG)]
        }
    }
}
