//! Inputs of concrete runs: random ones, and ones like those of earlier runs.
//!
//! Idea: inputs are drawn from the program's own constants and their neighbours, small numbers and any
//! numbers; each run prefers one kind at each place, so that some runs go deep where others turn back. What
//! is like earlier inputs is put together of parts of two of them, with some values changed: into others of
//! them, as what separates the fields of a text does so again and again, or into random ones.
//!
//! Source: Zalewski: American fuzzy lop (technical details, 2014) for inputs that evolve.

use std::collections::VecDeque;

use kripke_elts::interpreter::{Inputs, StatementSite};
use kripke_elts::random::Random;
use kripke_elts::{FunctionId, NondetSource, Position, ScalarValue, Type, VariableId};
use kripke_value::{BitVec, Float, MathFunction};
use rustc_hash::FxHashMap;

use super::constants::{Constants, fitted};

/// How many earlier inputs of each sort are kept.
const MOST: usize = 400;

/// The inputs of earlier runs that showed something new.
#[derive(Default)]
pub(crate) struct Parents {
    /// Those of which no more is known.
    all: Vec<Vec<ScalarValue>>,
    /// Those whose runs came to where hardly any other had been, the latest of them.
    further: VecDeque<Vec<ScalarValue>>,
    /// The one of all that the next takes the place of.
    replaced: usize,
}

impl Parents {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.further.is_empty()
    }

    /// Keeps the inputs of a run, which came further than all others or not; where there are many, in place
    /// of earlier ones.
    pub fn keep(&mut self, given: Vec<ScalarValue>, came_further: bool) {
        if came_further {
            self.further.push_back(given);
            if self.further.len() > MOST {
                self.further.pop_front();
            }
        } else if self.all.len() < MOST {
            self.all.push(given);
        } else {
            self.all[self.replaced] = given;
            self.replaced = (self.replaced + 1) % MOST;
        }
    }

    /// One of them: most often the latest that came further, or one of those shortly before.
    fn pick(&self, random: &mut Random) -> &[ScalarValue] {
        let is_late = self.all.is_empty() || random.below(8) < 5;
        let mut late = self.further.iter().rev();
        if let Some(last) = late.next().filter(|_| is_late) {
            return late.take_while(|_| random.one_in(2)).last().unwrap_or(last);
        }
        let number = random.below(self.all.len() + self.further.len());
        let mut any = self.all.iter().chain(&self.further);
        any.nth(number).map_or(&[], Vec::as_slice)
    }
}

/// An input of a run that is like earlier ones.
#[derive(Clone)]
pub(crate) enum Scripted {
    /// As it was.
    Same(ScalarValue),
    /// Another one than before.
    New,
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
pub(crate) struct RandomInputs<'c> {
    random: Random,
    constants: &'c Constants,
    tastes: FxHashMap<StatementSite, Taste>,
    /// What comes first.
    script: Vec<Scripted>,
    /// What was given.
    pub given: Given,
}

/// The inputs of a run.
#[derive(Clone, Default)]
pub(crate) struct Given {
    /// Those that are asked for in an order, in it.
    pub values: Vec<ScalarValue>,
    /// Those of variables that are read before they are assigned, by activation.
    pub locals: FxHashMap<(u64, VariableId), ScalarValue>,
    /// Those of bytes that are read before they are written, by object and offset.
    pub bytes: FxHashMap<(u64, u64), u8>,
}

impl<'c> RandomInputs<'c> {
    pub fn new(seed: u64, constants: &'c Constants) -> Self {
        RandomInputs {
            random: Random::new(seed.wrapping_mul(0x1234_5677) + 1),
            constants,
            tastes: FxHashMap::default(),
            script: Vec::new(),
            given: Given::default(),
        }
    }

    /// Inputs like those of one of these, or like the first ones of one and the last ones of another, with
    /// some changed, left out or given twice.
    pub fn vary(&mut self, parents: &Parents) {
        let first = parents.pick(&mut self.random);
        let second = parents.pick(&mut self.random);
        self.vary_two(first, second);
    }

    /// The same of these two.
    pub fn vary_two(&mut self, first: &[ScalarValue], second: &[ScalarValue]) {
        self.script = varied(first, second, &mut self.random);
    }

    /// Just these inputs, as far as they go.
    pub fn follow(&mut self, values: Vec<ScalarValue>) {
        self.script = values.into_iter().map(Scripted::Same).collect();
    }

    /// The next input of the script; none where it is to be a new one.
    fn scripted(&mut self, ty: Type) -> Option<ScalarValue> {
        let Scripted::Same(value) = self.script.get(self.given.values.len())? else {
            return None;
        };
        let fits = match (value, ty) {
            (ScalarValue::Int(bits), Type::Int(width)) => bits.width() == width,
            (ScalarValue::Float(_), Type::Float(_)) => true,
            _ => false,
        };
        fits.then(|| value.clone())
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

    /// A constant of the program, of just so many bits as a rule, or a neighbour of it.
    fn of_program(&mut self, width: u32) -> BitVec {
        let is_own = self.random.below(4) > 0;
        let known = self.constants.fitting(width, is_own);
        if known.is_empty() {
            return self.small(width);
        }
        let constant = known[self.random.below(known.len())].clone();
        let one = fitted(&BitVec::new(1, 1), width);
        match self.random.below(4) {
            0 => constant.sub(&one),
            1 => constant.add(&one),
            _ => constant,
        }
    }

    /// A small number, or one of the largest or smallest with a sign.
    fn small(&mut self, width: u32) -> BitVec {
        if self.random.one_in(8) {
            return match self.random.below(3) {
                0 => BitVec::min_signed(width),
                1 => BitVec::min_signed(width).not(),
                _ => BitVec::ones(width),
            };
        }
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

/// How many values that follow each other are moved together.
const MOST_TOGETHER: usize = 8;

/// The first of two lists of inputs, or the beginning of it and the end of the other, with some changes.
fn varied(first: &[ScalarValue], second: &[ScalarValue], random: &mut Random) -> Vec<Scripted> {
    let same =
        |values: &[ScalarValue]| -> Vec<Scripted> { values.iter().cloned().map(Scripted::Same).collect() };
    let mut script = same(first);
    let is_joined = random.one_in(8);
    if is_joined {
        let end = random.below(first.len() + 1);
        let start = if random.one_in(2) {
            end
        } else {
            random.below(second.len() + 1)
        };
        script.truncate(end);
        script.extend(same(second.get(start..).unwrap_or_default()));
    }
    if is_joined && random.one_in(2) {
        return script;
    }
    loop {
        change(&mut script, random);
        if random.one_in(2) {
            return script;
        }
    }
}

/// Changes one value, or moves some that follow each other.
fn change(script: &mut Vec<Scripted>, random: &mut Random) {
    let at = random.below(script.len().max(1));
    let last = script.len().saturating_sub(1);
    let count = 1 + if random.one_in(2) {
        0
    } else {
        random.below(MOST_TOGETHER)
    };
    let end = (at + count).min(script.len());
    match random.below(8) {
        _ if script.is_empty() => script.push(Scripted::New),
        0 => script.insert(at, Scripted::New),
        1 => drop(script.drain(at..end)),
        2 => {
            let again: Vec<Scripted> = script[at..end].to_vec();
            script.splice(at..at, again);
        }
        3 => script[at] = script[random.below(last + 1)].clone(),
        4 => {
            if let Scripted::Same(ScalarValue::Int(bits)) = &script[at] {
                script[at] = Scripted::Same(ScalarValue::Int(near(bits, random)));
            }
        }
        _ => script[at] = Scripted::New,
    }
}

/// A little more or less, or with another bit.
fn near(bits: &BitVec, random: &mut Random) -> BitVec {
    let width = bits.width();
    let few = fitted(&BitVec::new(8, 1 + random.below(4) as u128), width);
    match random.below(3) {
        0 => bits.add(&few),
        1 => bits.sub(&few),
        _ => {
            let bit = random.below(width.min(64) as usize);
            bits.xor(&fitted(&BitVec::new(64, 1 << bit), width))
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
        let is_changed = self.given.values.len() < self.script.len();
        let value = self.scripted(ty).unwrap_or_else(|| match ty {
            Type::Int(width) if is_changed && !self.random.one_in(4) => {
                ScalarValue::Int(self.of_program(width))
            }
            Type::Int(width) => ScalarValue::Int(self.number(site, width)),
            _ => self.next(source, ty, position),
        });
        self.given.values.push(value.clone());
        value
    }

    fn math(&mut self, _: StatementSite, _: MathFunction, exact: Float, _: Position) -> Float {
        self.given.values.push(ScalarValue::Float(exact));
        exact
    }

    fn uninitialised_variable_of(
        &mut self,
        activation: u64,
        _: FunctionId,
        variable: VariableId,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let value = self.next(&NondetSource::Uninitialised, ty, position);
        self.given.locals.insert((activation, variable), value.clone());
        value
    }

    fn unwritten_byte(&mut self, object: u64, offset: u64) -> u8 {
        let byte = self.random.bits() as u8;
        self.given.bytes.insert((object, offset), byte);
        byte
    }
}

#[cfg(test)]
mod tests {
    use kripke_elts::interpreter::{Inputs, StatementSite};
    use kripke_elts::{FunctionId, Id, LocationId, NondetSource, Position, ScalarValue, Type};
    use kripke_value::BitVec;

    use super::super::constants::Constants;
    use super::{Parents, RandomInputs};

    /// How many characters of a text come after each other in the inputs, from their start on.
    fn matched(given: &[ScalarValue], text: &[u8]) -> usize {
        let is_same = |(value, byte): &(&ScalarValue, &u8)| {
            let expected = BitVec::new(8, u128::from(**byte));
            **value == ScalarValue::Int(expected)
        };
        given.iter().zip(text).take_while(is_same).count()
    }

    /// A text is found letter by letter where each that is right leads further, and not at once.
    #[test]
    fn inputs_evolve() {
        let text = b"$RM,01,9BZ";
        let letters = b"$RMC,09AZ az".iter();
        let letters = letters.map(|letter| BitVec::new(8, u128::from(*letter)));
        let constants = Constants::new(letters.collect());
        let source = NondetSource::Uninitialised;
        let site = StatementSite {
            function: FunctionId::new(0),
            location: LocationId::new(0),
            transition: 0,
            statement: 0,
        };
        let (mut parents, mut best, mut tried) = (Parents::default(), 0, 0);
        while best < text.len() && tried < 200_000 {
            let mut inputs = RandomInputs::new(tried, &constants);
            if !parents.is_empty() {
                inputs.vary(&parents);
            }
            for _ in 0..20 {
                inputs.next_at(site, &source, Type::Int(8), Position::default());
            }
            let found = matched(&inputs.given.values, text);
            if found > best || parents.is_empty() {
                parents.keep(inputs.given.values, true);
            }
            best = best.max(found);
            tried += 1;
        }
        assert_eq!(best, text.len(), "after {tried} inputs");
        assert!(tried > 100, "only {tried} inputs");
    }
}
