//! States that the program reaches at the heads of its loops, seen in concrete runs.
//!
//! Idea: most guesses are wrong, and one state of a run refutes a wrong one for a millionth of what a query
//! costs. So the interpreter runs the program with random inputs before anything is asked, and what the
//! places of a loop hold there is kept: values that are new for a place always, others now and then. Where
//! there is time, inputs like those follow that showed something new: a text that a loop deep in a parser is
//! to see is none that comes at once.
//!
//! Invariant: samples only make the search for invariants faster. Nothing is concluded from them.
//!
//! Source: Ernst et al.: The Daikon system for dynamic detection of likely invariants (Science of Computer
//! Programming 69, 2007) for guesses that runs refute; Garg, Löding, Madhusudan, Neider: ICE (CAV 2014).

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use kripke_elts::interpreter::{Detail, Event, Observer, RunOptions, Runner, View};
use kripke_elts::random::Random;
use kripke_elts::{FunctionId, LocationId, Pointer, PointerBase, ScalarValue, Type};
use kripke_limits::stretched;
use kripke_smt::{ArrayValue, Sort, TermId, Value};
use kripke_value::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::fuzzing::constants::Constants;
use crate::fuzzing::inputs::{Parents, RandomInputs};
use crate::invariants::heads::{ArrayPlace, Head, Location, Part, Place};
use crate::invariants::instances::known_any_index;
use crate::limits;
use crate::object::{ObjectId, ObjectKind};
use crate::value::Target;

/// How many runs with random inputs there are, and how long each may be, in statements. The last is longer.
const RUNS: u64 = 40;
const STATEMENTS: u64 = 6_000;
const STATEMENTS_OF_LAST: u64 = 60_000;
/// How long all of them may take.
const TIME: Duration = Duration::from_millis(400);
/// How many samples of a head are kept; others that show new values then take the place of some.
const MAX_SAMPLES: usize = 1500;
/// How many values of each place are told apart to keep a sample for each.
const MAX_VALUES: usize = 24;
/// A sample that shows nothing new is kept once in so many times.
const RARELY: usize = 12;

/// How many runs with inputs like those of earlier ones follow, where there is time for them.
const MUTANTS: u64 = 100_000;
/// While there is a head that no run has come to, they go on for so many times as long, or for this part of
/// the time that is left if that is less.
const LONGER: u32 = 4;
const SHARES: u32 = 30;
/// What is new at a head of which no more samples are there counts as much as a location where no run was.
const FEW: usize = 64;

/// The values of a head's places, by their variables, at the start of an iteration.
pub(crate) type Sample = FxHashMap<TermId, Value>;

/// What concrete runs show at each of the heads. After those with random inputs, for so long, come mutants of
/// those that showed something new.
pub(super) fn of_heads(
    engine: &Engine<'_>,
    heads: &[Head],
    pool: &Constants,
    mutants: Duration,
) -> Vec<Rc<Vec<Sample>>> {
    let mut watcher = Watcher {
        places: Places::new(engine, heads),
        heads: heads.iter().map(|_| Seen::default()).collect(),
        random: Random::new(0),
        locations: FxHashSet::default(),
        shows_new: false,
        came_further: false,
    };
    let mut parents = Parents::default();
    let mut runner = Runner::new(engine.program, short_runs());
    let is_over = |until| Instant::now() > until || limits::check(engine.options, false).is_err();
    let until = Instant::now() + stretched(TIME);
    for number in 0..RUNS {
        if is_over(until) {
            break;
        }
        let mut inputs = RandomInputs::new(number, pool);
        let last = number + 1 == RUNS;
        let statements = if last { STATEMENTS_OF_LAST } else { STATEMENTS };
        watcher.random = Random::new(number);
        runner.run(statements, &mut inputs, &mut watcher);
        watcher.keep_if_new(inputs.given.values, &mut parents);
    }
    let started = Instant::now();
    let left = engine
        .options
        .deadline
        .map(|deadline| deadline.saturating_duration_since(started));
    let longer = left.map_or(mutants * LONGER, |left| (mutants * LONGER).min(left / SHARES));
    for number in RUNS..RUNS + MUTANTS {
        let most = match watcher.has_seen_all() {
            true => mutants,
            false => mutants.max(longer),
        };
        if is_over(started + most) || parents.is_empty() || watcher.is_full() {
            break;
        }
        let mut inputs = RandomInputs::new(number, pool);
        inputs.vary(&parents);
        runner.run(STATEMENTS, &mut inputs, &mut watcher);
        watcher.keep_if_new(inputs.given.values, &mut parents);
    }
    watcher
        .heads
        .into_iter()
        .map(|head| Rc::new(head.samples))
        .collect()
}

/// How runs go that show what loops do.
pub(super) fn short_runs() -> RunOptions {
    RunOptions {
        max_memory: 1 << 26,
        ..RunOptions::default()
    }
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

/// A value as a number.
pub(super) fn number(value: &Value) -> Option<u64> {
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

    /// What the arrays of one of the heads hold now, where they have so many elements at most, and an index
    /// that all of them have as any index.
    pub fn arrays(&self, view: &View<'_>, head: usize, max_elements: u64, random: &mut Random) -> Sample {
        let terms = &self.engine.terms;
        let mut sample = Sample::default();
        let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
        for place in &self.heads[head].arrays {
            let Sort::Array { index, element } = terms.sort(place.variable) else {
                continue;
            };
            let bytes = u64::from(if place.tells_written { element } else { element / 8 });
            let size = self.engine.run.objects[place.object].constant_size.unwrap_or(0);
            let count = size / bytes;
            if !(1..=max_elements).contains(&count) || !size.is_multiple_of(bytes) {
                continue;
            }
            let Some(held) = self.elements(view, place, count) else {
                continue;
            };
            let mut array = ArrayValue::constant(index, BitVec::zero(element));
            for (at, value) in (0u128..).zip(held) {
                array = array.with(BitVec::new(index, at), value);
            }
            sample.insert(place.variable, Value::Array(array));
            let least = counts.entry(index).or_insert(count);
            *least = count.min(*least);
        }
        for (index, count) in counts {
            if let Some(any) = known_any_index(terms, index) {
                let at = random.below(count as usize) as u128;
                sample.insert(any, Value::BitVec(BitVec::new(index, at)));
            }
        }
        sample
    }

    /// The elements of an array, where all can be told.
    fn elements(&self, view: &View<'_>, place: &ArrayPlace, count: u64) -> Option<Vec<BitVec>> {
        let Sort::Array { element, .. } = self.engine.terms.sort(place.variable) else {
            return None;
        };
        let byte = Type::Int(8);
        let is_written = |at| Some(view.read(self.pointer(view, place.object, at)?, byte).is_some());
        let element_at = |number: u64| match place.tells_written {
            true => {
                let bytes = (0..element).map(|bit| is_written(number * u64::from(element) + u64::from(bit)));
                let flags = bytes.enumerate().map(|(bit, is)| Some(u128::from(is?) << bit));
                Some(BitVec::new(element, flags.sum::<Option<u128>>()?))
            }
            false => {
                let at = self.pointer(view, place.object, number * u64::from(element / 8))?;
                match view.read(at, Type::Int(element)) {
                    Some(ScalarValue::Int(bits)) => Some(bits),
                    _ => None,
                }
            }
        };
        (0..count).map(element_at).collect()
    }

    fn pointer(&self, view: &View<'_>, object: ObjectId, offset: u64) -> Option<Pointer> {
        let mut pointer = match self.engine.run.objects[object].kind {
            ObjectKind::Global(global) => view.global(global),
            ObjectKind::Stack(site) => view.stack_object(site)?,
            ObjectKind::Heap(_) => return None,
        };
        pointer.offset = offset;
        Some(pointer)
    }

    /// What stands for the place now, where that can be told.
    fn value(&self, view: &View<'_>, place: &Place) -> Option<Value> {
        let value = match place.location {
            Location::Variable(variable) => view.variable(variable)?,
            Location::Cell { object, offset, ty } => {
                let value = view.read(self.pointer(view, object, offset)?, ty);
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
                Some(Value::Bool(self.points_to(view, pointer.base, target)?))
            }
            (Part::Offset(target, zeros), ScalarValue::Pointer(pointer)) => {
                let is_there = self.points_to(view, pointer.base, target)?;
                let offset = if is_there { pointer.offset >> zeros } else { 0 };
                let width = self.engine.pointer_width - zeros;
                Some(Value::BitVec(BitVec::new(width, u128::from(offset))))
            }
            _ => None,
        }
    }

    /// Does a pointer with that base have the target? Of which object of the heap it is the base is not told.
    fn points_to(&self, view: &View<'_>, base: PointerBase, target: Target) -> Option<bool> {
        match target {
            Target::Null => Some(base == PointerBase::Null),
            Target::Object(object) => self.is_base_of(view, base, object),
            _ => None,
        }
    }

    fn is_base_of(&self, view: &View<'_>, base: PointerBase, object: ObjectId) -> Option<bool> {
        match self.engine.run.objects[object].kind {
            ObjectKind::Global(global) => Some(view.global(global).base == base),
            ObjectKind::Stack(site) => Some(view.stack_object(site).is_some_and(|known| known.base == base)),
            ObjectKind::Heap(_) => None,
        }
    }
}

/// Looks at the places whenever a run comes to a head.
struct Watcher<'e, 'p> {
    places: Places<'e, 'p>,
    heads: Vec<Seen>,
    random: Random,
    /// Where runs have been.
    locations: FxHashSet<(FunctionId, LocationId)>,
    /// The run has shown what no earlier one did, and that at a place where hardly any was.
    shows_new: bool,
    came_further: bool,
}

impl Watcher<'_, '_> {
    /// Is no more kept of any head?
    fn is_full(&self) -> bool {
        let mut heads = self.heads.iter();
        heads.all(|seen| seen.samples.len() >= MAX_SAMPLES)
    }

    /// Has some run come to each head?
    fn has_seen_all(&self) -> bool {
        self.heads.iter().all(|seen| !seen.samples.is_empty())
    }

    /// Keeps the inputs of the run that has ended if it showed something new.
    fn keep_if_new(&mut self, given: Vec<ScalarValue>, parents: &mut Parents) {
        let came_further = std::mem::take(&mut self.came_further);
        if std::mem::take(&mut self.shows_new) || came_further {
            parents.keep(given, came_further);
        }
    }
}

impl Observer for Watcher<'_, '_> {
    fn detail(&self) -> Detail {
        Detail::Locations
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        if let (Event::Location { location }, Some(function)) = (event, view.function()) {
            self.came_further |= self.locations.insert((function, *location));
        }
        for &index in self.places.at(view, event) {
            let seen = &mut self.heads[index];
            let sample = self.places.sample(view, index);
            let is_new = seen.is_new(&sample);
            self.shows_new |= is_new;
            self.came_further |= is_new && seen.samples.len() < FEW;
            if seen.samples.len() < MAX_SAMPLES {
                if is_new || self.random.one_in(RARELY) {
                    seen.samples.push(sample);
                }
            } else if is_new {
                let replaced = self.random.below(MAX_SAMPLES);
                seen.samples[replaced] = sample;
            }
        }
    }
}
