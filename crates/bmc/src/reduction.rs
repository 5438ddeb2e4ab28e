//! Which orders of independent steps of threads are not followed: sleep sets.
//!
//! Idea: where steps of two threads are independent, what comes of one order comes of the other. So where a
//! thread is chosen, those that were chosen before it at the same state sleep behind its step, as long as the
//! steps that are taken do not depend on theirs: what their steps lead to is found in the other order. All
//! states are still come to, only on fewer ways; so whatever is asked of states and steps is answered as
//! before. All steps from a state are executed before one of the states behind them is looked at, so that it
//! is known then what each of them touches ([`crate::footprints`]).
//!
//! A state that was seen with some threads asleep is left where these sleep again. Those that do not are
//! chosen, and no others.
//!
//! Invariant: each run from a state that does not begin, up to the order of independent steps, with a thread
//! that sleeps there is followed up to that order.
//!
//! Source: P. Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (LNCS 1032,
//! 1996), chapter 5; with state hashing its algorithm of section 5.4.

use std::rc::Rc;

use kripke_elts::{FunctionId, LocationId, Program};
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::footprints::{Footprint, Range, Thing, Touch, Touches};
use crate::object::{ObjectId, ObjectKind};
use crate::state::State;
use crate::value::{Case, Target, Value};

/// The threads that sleep, each with what its next step touches.
pub(crate) type Sleep = Vec<(u8, Rc<Footprint>)>;

/// Threads, a bit for each.
pub(crate) type Set = u32;

/// The threads that sleep.
pub(crate) fn set_of(sleep: &Sleep) -> Set {
    sleep.iter().fold(0, |set, (thread, _)| set | 1 << thread)
}

/// Where a schedule is; its number says which.
#[derive(Clone, Copy)]
enum Point {
    /// Before a thread was chosen.
    Start,
    /// A thread is chosen.
    Choice(usize),
    /// A step is under way.
    Step(usize),
    /// The thread stands again, or has ended.
    Stands(usize),
}

/// A state at which a thread is chosen.
struct Choice {
    sleep: Sleep,
    /// The threads that may be chosen: not those that were when the same state was seen before.
    only: Set,
    /// The steps that were taken.
    steps: Vec<usize>,
}

/// The step of a thread behind a choice.
struct Step {
    choice: usize,
    thread: u8,
    touched: Rc<Footprint>,
}

/// What is known of the schedules so far.
pub(crate) struct Reduction {
    touches: Touches,
    /// Where threads stand.
    places: Vec<kripke_elts::VariableId>,
    points: Vec<Point>,
    choices: Vec<Choice>,
    steps: Vec<Step>,
}

impl Reduction {
    /// Before a run of a woven function; `tellers` are the functions that tell that a thread goes on.
    pub fn new(
        (program, woven): (&Program, FunctionId),
        tellers: &FxHashMap<FunctionId, u8>,
        places: &[kripke_elts::VariableId],
    ) -> Self {
        Reduction {
            touches: Touches::new(program, woven, tellers),
            places: places.to_vec(),
            points: vec![Point::Start],
            choices: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Another run begins.
    pub fn start_run(&mut self) {
        self.points = vec![Point::Start];
        self.choices.clear();
        self.steps.clear();
    }

    fn add(&mut self, point: Point) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    fn point(&self, schedule: u32) -> Point {
        self.points[schedule as usize]
    }

    /// Is a thread not chosen at that choice, as it sleeps? None where it may be chosen; else whether
    /// that is so because of the reduction, and not as it was chosen where the same state was seen before.
    pub fn sleeps(&self, schedule: u32, thread: u8) -> Option<bool> {
        let Point::Choice(index) = self.point(schedule) else {
            return None;
        };
        let choice = &self.choices[index];
        let sleeps = choice.sleep.iter().any(|(sleeper, _)| *sleeper == thread);
        (sleeps || choice.only & 1 << thread == 0).then_some(sleeps)
    }

    /// A thread is chosen: the number of the schedule.
    pub fn step(&mut self, schedule: u32, thread: u8) -> u32 {
        let Point::Choice(choice) = self.point(schedule) else {
            return self.add(Point::Start);
        };
        let mut touched = Footprint::default();
        if let Some(place) = self.places.get(usize::from(thread)) {
            touched.add(Thing::Variable(*place), Range::WHOLE, true);
        }
        self.steps.push(Step {
            choice,
            thread,
            touched: Rc::new(touched),
        });
        let index = self.steps.len() - 1;
        self.choices[choice].steps.push(index);
        let number = self.add(Point::Step(index));
        self.add(Point::Stands(index));
        number
    }

    /// The thread of a step stands, which is all that the schedule's number then says.
    fn stand(&self, schedule: u32) -> u32 {
        match self.point(schedule) {
            Point::Step(_) => schedule + 1,
            _ => schedule,
        }
    }

    fn thread(&self, schedule: u32) -> Option<u8> {
        match self.point(schedule) {
            Point::Step(step) => Some(self.steps[step].thread),
            _ => None,
        }
    }

    /// What the step touches that a schedule is in. Behind it threads only ask whether they wait for each
    /// other, which changes nothing, and is found by the last of them wherever it is so.
    fn touched(&mut self, schedule: u32, writes: bool) -> Option<&mut Footprint> {
        match self.point(schedule) {
            Point::Step(step) => Some(Rc::make_mut(&mut self.steps[step].touched)),
            Point::Stands(step) if writes => Some(Rc::make_mut(&mut self.steps[step].touched)),
            _ => None,
        }
    }

    fn touch(&mut self, schedule: u32, thing: Thing, range: Range, writes: bool) {
        if let Some(touched) = self.touched(schedule, writes) {
            touched.add(thing, range, writes);
        }
    }

    /// The step of a schedule depends on all others.
    pub fn touch_anything(&mut self, schedule: u32) {
        if let Some(touched) = self.touched(schedule, true) {
            touched.add_anything();
        }
    }

    /// The threads that sleep where a schedule comes to a choice. Of threads chosen at one state those with
    /// smaller numbers come first.
    pub fn sleep(&mut self, schedule: u32) -> Sleep {
        if let Point::Step(_) = self.point(schedule) {
            self.touch_anything(schedule);
        }
        let (Point::Step(step) | Point::Stands(step)) = self.point(schedule) else {
            return Sleep::new();
        };
        let step = &self.steps[step];
        let choice = &self.choices[step.choice];
        let others = choice.steps.iter().map(|other| &self.steps[*other]);
        let earlier = others.filter(|other| other.thread < step.thread);
        let earlier = earlier.map(|other| (other.thread, other.touched.clone()));
        let sleep = choice.sleep.iter().cloned().chain(earlier);
        sleep
            .filter(|(_, next)| next.is_independent_of(&step.touched))
            .collect()
    }

    /// A thread is chosen there: the number of the schedule.
    pub fn choose(&mut self, sleep: Sleep, only: Set) -> u32 {
        self.choices.push(Choice {
            sleep,
            only,
            steps: Vec::new(),
        });
        self.add(Point::Choice(self.choices.len() - 1))
    }
}

impl Engine<'_> {
    fn reduction(&mut self) -> Option<&mut Reduction> {
        let all = self.parting.threads.interleavings.as_mut();
        all.and_then(|all| all.reduction.as_mut())
    }

    /// Are orders of independent steps left out?
    pub(crate) fn reduces(&mut self) -> bool {
        self.reduction().is_some()
    }

    /// The guards of a location are looked at.
    pub(crate) fn touch_guards(&mut self, state: &State, location: LocationId) {
        if !self.reduces() || !self.is_woven() {
            return;
        }
        if let Some(reduction) = self.reduction() {
            for touch in reduction.touches.of_guards(location).to_vec() {
                reduction.touch_variable(state.schedule, touch);
            }
        }
    }

    /// A statement is executed, the one that the cursor is at.
    pub(crate) fn touch_variables(&mut self, state: &mut State) {
        if !self.reduces() || !self.is_woven() {
            return;
        }
        let cursor = &self.run.cursor;
        let at = (cursor.location, cursor.transition, cursor.statement);
        let Some(reduction) = self.reduction() else {
            return;
        };
        let mut stands = None;
        for touch in reduction.touches.of(at).to_vec() {
            match touch {
                Touch::Stands(thread) if reduction.thread(state.schedule) == Some(thread) => {
                    stands = Some(reduction.stand(state.schedule));
                }
                touch => reduction.touch_variable(state.schedule, touch),
            }
        }
        if let Some(schedule) = stands {
            state.schedule = schedule;
            self.note_owner(state);
        }
    }

    /// A thread that has to go on keeps others from that.
    fn note_owner(&mut self, state: &State) {
        if !self.may_all_go_on(state) {
            self.touch_anything(state);
        }
    }

    /// The step depends on all others.
    pub(crate) fn touch_anything(&mut self, state: &State) {
        if let Some(reduction) = self.reduction() {
            reduction.touch_anything(state.schedule);
        }
    }

    /// A location from which no thread is chosen any more is executed when all schedules have come to their
    /// ends: what a step touches from there on is not known before.
    pub(crate) fn touch_way_out(&mut self, state: &State, target: LocationId) {
        if !self.reduces() || !self.is_woven() {
            return;
        }
        let graph = self.top().graph.clone();
        let goes_on = self.hub().is_some_and(|(_, of)| graph.contains(of, target));
        if !goes_on {
            self.touch_anything(state);
        }
    }

    /// A range of memory is accessed.
    pub(crate) fn touch_bytes(&mut self, state: &State, case: &Case, (length, writes): (Option<u64>, bool)) {
        if !self.reduces() {
            return;
        }
        let object = match case.target {
            Target::Object(object) => object,
            Target::Raw => return self.touch_anything(state),
            _ => return,
        };
        self.touch_life(state, object, false);
        let range = match (self.constant(case.offset), length) {
            (Some(from), Some(length)) => Range {
                from,
                to: from.saturating_add(length),
            },
            _ => Range::WHOLE,
        };
        let is_constant = self.run.objects[object].constant;
        if let Some(reduction) = self.reduction()
            && !is_constant
            && !reduction.touches.is_count(object)
        {
            reduction.touch(state.schedule, Thing::Bytes(object), range, writes);
        }
    }

    /// A value is written into an object.
    pub(crate) fn touch_count(&mut self, state: &State, object: ObjectId, value: &Value) {
        let stays_above_zero = match value {
            Value::Term(term) => self.terms.as_bv(*term).is_some_and(|bits| !bits.is_zero()),
            Value::Pointer(_) => false,
        };
        if !stays_above_zero
            && let Some(reduction) = self.reduction()
            && reduction.touches.is_count(object)
        {
            reduction.touch_anything(state.schedule);
        }
    }

    /// It is asked whether an object lives, or that changes.
    pub(crate) fn touch_life(&mut self, state: &State, object: ObjectId, changes: bool) {
        if !self.reduces() {
            return;
        }
        let lives_on = match self.run.objects[object].kind {
            ObjectKind::Global(global) => !self.program.globals[global].thread_local,
            _ => false,
        };
        if !lives_on && let Some(reduction) = self.reduction() {
            reduction.touch(state.schedule, Thing::Life(object), Range::WHOLE, changes);
        }
    }

    /// An object is made.
    pub(crate) fn touch_site(&mut self, state: &State, object: ObjectId) {
        let kind = self.run.objects[object].kind;
        if let Some(reduction) = self.reduction() {
            reduction.touch(state.schedule, Thing::Site(kind), Range::WHOLE, true);
            reduction.touch(state.schedule, Thing::Life(object), Range::WHOLE, true);
            if let ObjectKind::Heap(_) = kind {
                reduction.touch(state.schedule, Thing::Heap, Range::WHOLE, false);
            }
        }
    }

    /// An object of the heap is freed.
    pub(crate) fn touch_heap(&mut self, state: &State) {
        if let Some(reduction) = self.reduction() {
            reduction.touch(state.schedule, Thing::Heap, Range::WHOLE, true);
        }
    }
}

impl Reduction {
    fn touch_variable(&mut self, schedule: u32, touch: Touch) {
        match touch {
            Touch::Reads(thing) => self.touch(schedule, thing, Range::WHOLE, false),
            Touch::Writes(Thing::Start(place)) if self.is_own(schedule, place) => {}
            Touch::Writes(thing) => self.touch(schedule, thing, Range::WHOLE, true),
            Touch::Holds => self.touch_anything(schedule),
            Touch::Stands(_) => {}
        }
    }

    /// Does the variable say where the thread stands whose step it is?
    fn is_own(&self, schedule: u32, place: kripke_elts::VariableId) -> bool {
        let thread = self.thread(schedule);
        thread.is_some_and(|thread| self.places.get(usize::from(thread)) == Some(&place))
    }
}
