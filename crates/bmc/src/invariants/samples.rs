//! States that the program reaches at the heads of its loops, seen in concrete runs.
//!
//! Idea: most guesses are wrong, and one state of a run refutes a wrong one for a millionth of what a query
//! costs. So the interpreter runs the program with random inputs before anything is asked, and what the
//! places of a loop hold there is kept: values that are new for a place always, others now and then. Inputs
//! are drawn from the program's own constants and their neighbours, small numbers and any numbers; each run
//! prefers one kind at each place, so that some runs go deep where others turn back.
//!
//! Invariant: samples only make the search for invariants faster. Nothing is concluded from them.
//!
//! Source: Ernst et al.: The Daikon system for dynamic detection of likely invariants (Science of Computer
//! Programming 69, 2007) for guesses that runs refute; Garg, Löding, Madhusudan, Neider: ICE (CAV 2014).

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use kripke_elts::interpreter::{Detail, Event, Inputs, Observer, RunOptions, StatementSite, View, run};
use kripke_elts::random::Random;
use kripke_elts::{FunctionId, LocationId, NondetSource, PointerBase, Position, ScalarValue, Type};
use kripke_limits::stretched;
use kripke_smt::{Sort, TermId, Value};
use kripke_value::{BitVec, Float};
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::invariants::heads::{Head, Location, Part, Place};
use crate::limits;
use crate::object::{ObjectId, ObjectKind};
use crate::value::Target;

/// How many runs with random inputs there are, and how long each may be, in statements. The last is longer.
const RUNS: u64 = 40;
const STATEMENTS: u64 = 6_000;
const STATEMENTS_OF_LAST: u64 = 60_000;
/// How long all of them may take.
const TIME: Duration = Duration::from_millis(400);
/// How many samples of a head are kept.
const MAX_SAMPLES: usize = 1500;
/// How many values of each place are told apart to keep a sample for each.
const MAX_VALUES: usize = 24;
/// A sample that shows nothing new is kept once in so many times.
const RARELY: usize = 12;

/// How many runs with inputs like those of earlier ones follow, where there is time for them.
const MUTANTS: u64 = 20_000;
/// How many earlier ones are kept for that.
const MAX_PARENTS: usize = 400;

/// The values of a head's places, by their variables, at the start of an iteration.
pub(crate) type Sample = FxHashMap<TermId, Value>;

/// What concrete runs show at each of the heads. After those with random inputs, for so long, come mutants of
/// those that showed something new.
pub(super) fn of_heads(
    engine: &Engine<'_>,
    heads: &[Head],
    pool: &BTreeSet<BitVec>,
    mutants: Duration,
) -> Vec<Rc<Vec<Sample>>> {
    let mut watcher = Watcher {
        places: Places::new(engine, heads),
        heads: heads.iter().map(|_| Seen::default()).collect(),
        random: Random::new(0),
        shows_new: false,
    };
    let mut parents: Vec<Vec<ScalarValue>> = Vec::new();
    let is_over = |until| Instant::now() > until || limits::check(engine.options, false).is_err();
    let until = Instant::now() + stretched(TIME);
    for number in 0..RUNS {
        if is_over(until) {
            break;
        }
        let mut inputs = RandomInputs::new(number, pool);
        let last = number + 1 == RUNS;
        let options = RunOptions {
            max_steps: Some(if last { STATEMENTS_OF_LAST } else { STATEMENTS }),
            max_memory: 1 << 26,
            ..RunOptions::default()
        };
        watcher.random = Random::new(number);
        run(engine.program, &mut inputs, &options, &mut watcher);
        if std::mem::take(&mut watcher.shows_new) {
            parents.push(inputs.given);
        }
    }
    let until = Instant::now() + mutants;
    for number in RUNS..RUNS + MUTANTS {
        if is_over(until) || parents.is_empty() || watcher.is_full() {
            break;
        }
        let mut inputs = RandomInputs::new(number, pool);
        inputs.vary(&parents);
        let options = RunOptions {
            max_steps: Some(STATEMENTS),
            max_memory: 1 << 26,
            ..RunOptions::default()
        };
        run(engine.program, &mut inputs, &options, &mut watcher);
        if std::mem::take(&mut watcher.shows_new) && parents.len() < MAX_PARENTS {
            parents.push(inputs.given);
        }
    }
    watcher
        .heads
        .into_iter()
        .map(|head| Rc::new(head.samples))
        .collect()
}

/// What is seen at one head.
#[derive(Default)]
struct Seen {
    samples: Vec<Sample>,
    /// By place, the first values of it, and then the largest and smallest.
    values: FxHashMap<TermId, BTreeSet<u64>>,
}

impl Seen {
    /// Does the sample show a value that no kept one has?
    fn is_new(&mut self, sample: &Sample) -> bool {
        let mut new = false;
        for (variable, value) in sample {
            let Some(number) = number(value) else { continue };
            let known = self.values.entry(*variable).or_default();
            let is_extreme = known.first().is_none_or(|first| number < *first)
                || known.last().is_none_or(|last| number > *last);
            if known.len() < MAX_VALUES {
                new |= known.insert(number);
            } else if is_extreme {
                new = true;
                known.insert(number);
            }
        }
        new
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(truth) => Some(u64::from(*truth)),
        Value::BitVec(bits) => bits.to_u64(),
        _ => None,
    }
}

/// The places of heads in a concrete run.
pub(super) struct Places<'e, 'p> {
    engine: &'e Engine<'p>,
    heads: &'e [Head],
    by_location: FxHashMap<(FunctionId, LocationId), Vec<usize>>,
}

impl<'e, 'p> Places<'e, 'p> {
    pub fn new(engine: &'e Engine<'p>, heads: &'e [Head]) -> Self {
        let mut by_location: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, head) in heads.iter().enumerate() {
            if let Some(graph) = engine.graphs.known(head.function) {
                let location = graph.loops[head.of as usize].head;
                by_location
                    .entry((head.function, location))
                    .or_default()
                    .push(index);
            }
        }
        Places {
            engine,
            heads,
            by_location,
        }
    }

    /// The heads of each loop, by their indexes.
    pub fn of_loops(&self) -> impl Iterator<Item = &[usize]> {
        self.by_location.values().map(Vec::as_slice)
    }

    /// The heads of the loop to which the run has just come, by their indexes.
    pub fn at(&self, view: &View<'_>, event: &Event<'_>) -> &[usize] {
        let (Event::Location { location }, Some(function)) = (event, view.function()) else {
            return &[];
        };
        self.by_location
            .get(&(function, *location))
            .map_or(&[], Vec::as_slice)
    }

    /// What the places of one of the heads hold now.
    pub fn sample(&self, view: &View<'_>, index: usize) -> Sample {
        let places = self.heads[index].places.iter();
        places
            .filter_map(|place| Some((place.variable, self.value(view, place)?)))
            .collect()
    }

    /// What stands for the place now, where that can be told.
    fn value(&self, view: &View<'_>, place: &Place) -> Option<Value> {
        let value = match place.location {
            Location::Variable(variable) => view.variable(variable)?,
            Location::Cell { object, offset, ty } => {
                let mut pointer = match self.engine.run.objects[object].kind {
                    ObjectKind::Global(global) => view.global(global),
                    ObjectKind::Stack(site) => view.stack_object(site)?,
                    ObjectKind::Heap(_) => return None,
                };
                pointer.offset = offset;
                let value = view.read(pointer, ty);
                if place.part == Part::Written {
                    return Some(Value::Bool(value.is_some()));
                }
                value?
            }
        };
        match (place.part, value) {
            (Part::Whole, ScalarValue::Int(bits)) => match self.engine.terms.sort(place.variable) {
                Sort::Bool => Some(Value::Bool(!bits.is_zero())),
                Sort::BitVec(width) => (width == bits.width()).then_some(Value::BitVec(bits)),
                _ => None,
            },
            (Part::Bits, ScalarValue::Float(float)) => Some(Value::BitVec(float.to_bits())),
            (Part::Target(target), ScalarValue::Pointer(pointer)) => {
                Some(Value::Bool(self.points_to(view, pointer.base, target)))
            }
            (Part::Offset(target, zeros), ScalarValue::Pointer(pointer)) => {
                let is_there = self.points_to(view, pointer.base, target);
                let offset = if is_there { pointer.offset >> zeros } else { 0 };
                let width = self.engine.pointer_width - zeros;
                Some(Value::BitVec(BitVec::new(width, u128::from(offset))))
            }
            _ => None,
        }
    }

    fn points_to(&self, view: &View<'_>, base: PointerBase, target: Target) -> bool {
        match target {
            Target::Null => base == PointerBase::Null,
            Target::Object(object) => self.is_base_of(view, base, object),
            _ => false,
        }
    }

    fn is_base_of(&self, view: &View<'_>, base: PointerBase, object: ObjectId) -> bool {
        match self.engine.run.objects[object].kind {
            ObjectKind::Global(global) => view.global(global).base == base,
            ObjectKind::Stack(site) => view.stack_object(site).is_some_and(|known| known.base == base),
            ObjectKind::Heap(_) => false,
        }
    }
}

/// Looks at the places whenever a run comes to a head.
struct Watcher<'e, 'p> {
    places: Places<'e, 'p>,
    heads: Vec<Seen>,
    random: Random,
    /// The run has shown what no earlier one did.
    shows_new: bool,
}

impl Watcher<'_, '_> {
    /// Is no more kept of any head?
    fn is_full(&self) -> bool {
        let mut heads = self.heads.iter();
        heads.all(|seen| seen.samples.len() >= MAX_SAMPLES)
    }
}

impl Observer for Watcher<'_, '_> {
    fn detail(&self) -> Detail {
        Detail::Locations
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        for &index in self.places.at(view, event) {
            let seen = &mut self.heads[index];
            if seen.samples.len() >= MAX_SAMPLES {
                continue;
            }
            let sample = self.places.sample(view, index);
            let is_new = seen.is_new(&sample);
            self.shows_new |= is_new;
            if is_new || self.random.one_in(RARELY) {
                seen.samples.push(sample);
            }
        }
    }
}

/// Which values an input prefers in one run.
#[derive(Clone)]
enum Taste {
    Any,
    Small,
    OfProgram,
    Mostly(BitVec),
    Mixed,
}

/// Random inputs of one run.
pub(super) struct RandomInputs<'c> {
    random: Random,
    constants: Vec<&'c BitVec>,
    tastes: FxHashMap<StatementSite, Taste>,
    /// What comes first, most of it as it is.
    script: Vec<ScalarValue>,
    /// One in so many of it is something else.
    changes: usize,
    /// What was given.
    given: Vec<ScalarValue>,
}

impl<'c> RandomInputs<'c> {
    pub fn new(seed: u64, constants: &'c BTreeSet<BitVec>) -> Self {
        RandomInputs {
            random: Random::new(seed.wrapping_mul(0x1234_5677) + 1),
            constants: constants.iter().collect(),
            tastes: FxHashMap::default(),
            script: Vec::new(),
            changes: 1,
            given: Vec::new(),
        }
    }

    /// Inputs like those of one of these, or like the first ones of one and the last ones of another, with
    /// some left out or given twice.
    fn vary(&mut self, parents: &[Vec<ScalarValue>]) {
        let first = &parents[self.random.below(parents.len())];
        let second = &parents[self.random.below(parents.len())];
        let end = self.random.below(first.len() + 1);
        let start = match self.random.below(4) {
            0 => self.random.below(second.len() + 1),
            1 => end + 1,
            2 => end.saturating_sub(1),
            _ => end,
        };
        self.script = first[..end].to_vec();
        self.script.extend(second.iter().skip(start).cloned());
        self.changes = 1 << (2 + self.random.below(5));
    }

    /// The next input of the script, unless it is to be changed.
    fn scripted(&mut self, ty: Type) -> Option<ScalarValue> {
        let value = self.script.get(self.given.len())?.clone();
        let fits = match (&value, ty) {
            (ScalarValue::Int(bits), Type::Int(width)) => bits.width() == width,
            (ScalarValue::Float(_), Type::Float(_)) => true,
            _ => false,
        };
        (fits && !self.random.one_in(self.changes)).then_some(value)
    }

    fn taste(&mut self, width: u32) -> Taste {
        match self.random.below(8) {
            0 => Taste::Any,
            1 => Taste::Small,
            2 | 3 => Taste::OfProgram,
            4 => Taste::Mostly(self.of_program(width)),
            _ => Taste::Mixed,
        }
    }

    fn of_program(&mut self, width: u32) -> BitVec {
        if self.constants.is_empty() {
            return self.small(width);
        }
        let constant = self.random.pick(&self.constants).clone();
        let one = BitVec::new(constant.width(), 1);
        let near = match self.random.below(4) {
            0 => constant.sub(&one),
            1 => constant.add(&one),
            _ => constant,
        };
        match near.width() >= width {
            true => near.extract(width - 1, 0),
            false => near.zext(width),
        }
    }

    fn small(&mut self, width: u32) -> BitVec {
        let number = self.random.below(9) as u128;
        BitVec::new(width.max(8), number).extract(width - 1, 0)
    }

    fn any(&mut self, width: u32) -> BitVec {
        let (high, low) = (self.random.bits(), self.random.bits());
        let bits = u128::from(high) << 64 | u128::from(low);
        let wide = BitVec::new(128, bits);
        match width <= 128 {
            true => wide.extract(width - 1, 0),
            false => wide.zext(width),
        }
    }

    fn number(&mut self, site: StatementSite, width: u32) -> BitVec {
        if !self.tastes.contains_key(&site) {
            let taste = self.taste(width);
            self.tastes.insert(site, taste);
        }
        match self.tastes[&site].clone() {
            Taste::Mostly(value) if value.width() == width && !self.random.one_in(6) => value,
            Taste::Any => self.any(width),
            Taste::Small => self.small(width),
            Taste::OfProgram => self.of_program(width),
            Taste::Mostly(_) | Taste::Mixed => match self.random.below(3) {
                0 => self.any(width),
                1 => self.small(width),
                _ => self.of_program(width),
            },
        }
    }
}

impl Inputs for RandomInputs<'_> {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        match ty {
            Type::Int(width) => ScalarValue::Int(self.any(width)),
            Type::Float(format) => {
                let bits = self.any(format.bits());
                ScalarValue::Float(Float::from_bits(format, &bits))
            }
            Type::Pointer => ScalarValue::zero(ty),
        }
    }

    fn next_at(
        &mut self,
        site: StatementSite,
        source: &NondetSource,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let value = self.scripted(ty).unwrap_or_else(|| match ty {
            Type::Int(width) => ScalarValue::Int(self.number(site, width)),
            _ => self.next(source, ty, position),
        });
        self.given.push(value.clone());
        value
    }

    fn unwritten_byte(&mut self, _: u64, _: u64) -> u8 {
        self.random.bits() as u8
    }
}
