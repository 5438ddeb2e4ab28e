//! Inputs of concrete runs: random ones, and ones like those of earlier runs.
//!
//! Idea: inputs are drawn from the program's own constants and their neighbours, small numbers and any
//! numbers; each run prefers one kind at each place, so that some runs go deep where others turn back. What
//! is like earlier inputs is put together of parts of two of them, with some values changed: into others of
//! them, as what separates the fields of a text does so again and again, or into random ones.
//!
//! Source: Zalewski: American fuzzy lop (technical details, 2014) for inputs that evolve.

use std::collections::{BTreeSet, VecDeque};

use kripke_elts::interpreter::{Inputs, StatementSite};
use kripke_elts::random::Random;
use kripke_elts::{NondetSource, Position, ScalarValue, Type};
use kripke_value::{BitVec, Float};
use rustc_hash::FxHashMap;

/// How many earlier inputs of each sort are kept.
const MOST: usize = 400;

/// The inputs of earlier runs that showed something new.
#[derive(Default)]
pub(super) struct Parents {
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

/// Which of earlier inputs are changed.
#[derive(Clone, Copy)]
enum Changes {
    OneIn(usize),
    Only(usize),
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
    constants: &'c BTreeSet<BitVec>,
    /// They as numbers of so many bits: those that have just so many, and all.
    of_width: FxHashMap<(u32, bool), Vec<BitVec>>,
    tastes: FxHashMap<StatementSite, Taste>,
    /// What comes first, most of it as it is.
    script: Vec<ScalarValue>,
    /// Which of it are something else.
    changes: Changes,
    /// What was given.
    pub given: Vec<ScalarValue>,
}

impl<'c> RandomInputs<'c> {
    pub fn new(seed: u64, constants: &'c BTreeSet<BitVec>) -> Self {
        RandomInputs {
            random: Random::new(seed.wrapping_mul(0x1234_5677) + 1),
            constants,
            of_width: FxHashMap::default(),
            tastes: FxHashMap::default(),
            script: Vec::new(),
            changes: Changes::OneIn(1),
            given: Vec::new(),
        }
    }

    /// Inputs like those of one of these but for one value, or like the first ones of one and the last ones
    /// of another, with some left out or given twice and some changed.
    pub fn vary(&mut self, parents: &Parents) {
        let first = parents.pick(&mut self.random);
        if self.random.one_in(2) {
            self.script = first.to_vec();
            self.changes = Changes::Only(self.random.below(first.len().max(1)));
            return;
        }
        let second = parents.pick(&mut self.random);
        let end = self.random.below(first.len() + 1);
        let start = match self.random.below(4) {
            0 => self.random.below(second.len() + 1),
            1 => end + 1,
            2 => end.saturating_sub(1),
            _ => end,
        };
        self.script = first[..end].to_vec();
        self.script.extend(second.iter().skip(start).cloned());
        self.changes = Changes::OneIn(1 << (2 + self.random.below(5)));
    }

    /// The next input of the script, now and then another one of it; none where it is to be a new one.
    fn scripted(&mut self, ty: Type) -> Option<ScalarValue> {
        let at = self.given.len();
        let mut value = self.script.get(at)?;
        let is_changed = match self.changes {
            Changes::OneIn(many) => self.random.one_in(many),
            Changes::Only(only) => only == at,
        };
        if is_changed {
            value = match self.random.below(4) {
                0 => &self.script[self.random.below(self.script.len())],
                1 => &self.script[at.saturating_sub(1)],
                _ => return None,
            };
        }
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
        let constants = self.constants;
        let known = self.of_width.entry((width, is_own)).or_insert_with(|| {
            let all = constants
                .iter()
                .filter(|constant| !is_own || constant.width() == width);
            let fitting: BTreeSet<BitVec> = all.map(|constant| fitted(constant, width)).collect();
            fitting.into_iter().collect()
        });
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

/// The last bits of a number, or the number with zeros before it.
fn fitted(number: &BitVec, width: u32) -> BitVec {
    match number.width() >= width {
        true => number.extract(width - 1, 0),
        false => number.zext(width),
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
        let is_only = matches!(self.changes, Changes::Only(only) if only == self.given.len());
        let value = self.scripted(ty).unwrap_or_else(|| match ty {
            Type::Int(width) if is_only && !self.random.one_in(4) => ScalarValue::Int(self.of_program(width)),
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kripke_elts::interpreter::{Inputs, StatementSite};
    use kripke_elts::{FunctionId, Id, LocationId, NondetSource, Position, ScalarValue, Type};
    use kripke_value::BitVec;

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
        let constants: BTreeSet<BitVec> = letters
            .map(|letter| BitVec::new(8, u128::from(*letter)))
            .collect();
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
            let found = matched(&inputs.given, text);
            if found > best || parents.is_empty() {
                parents.keep(inputs.given, true);
            }
            best = best.max(found);
            tried += 1;
        }
        assert_eq!(best, text.len(), "after {tried} inputs");
        assert!(tried > 100, "only {tried} inputs");
    }
}
