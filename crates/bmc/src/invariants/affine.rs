//! Linear equations between the places of a loop, modulo a power of two.
//!
//! Idea: grow the set from below. The equations that all states seen so far satisfy are asked of the solver;
//! a state that breaks one, reached from a state that satisfies all, is seen too, and the equations of what
//! is seen then are fewer. Each round loses at least one, so there are about as many rounds as places. So a
//! running sum is found equal to the sum of the window that it was made of, without guessing which.
//!
//! Invariant: every equation of [`kernel`] is true of every sample.
//!
//! Source: King, Søndergaard: Inferring congruence equations using SAT (CAV 2008); Elder, Lim, Sharma,
//! Andersen, Reps: Abstract domains of affine relations (TOPLAS 2014) for arithmetic modulo 2^w.

use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::{SatResult, Sort, TermId, Value};

use crate::decide::{Decider, solver_failed};
use crate::engine::Engine;
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::heads::Head;
use crate::replay::Model;

/// How many places equations are looked for among.
const MAX_PLACES: usize = 24;

/// An equation: the coefficients of the places and the constant, whose sum of products is zero.
type Equation = Vec<u64>;

/// The equations that hold together at a head, given the support. None where that is not decided in time; the
/// samples are what was seen before, and then what was seen in all.
pub(crate) fn equations(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    (index, head): (usize, &Head),
    support: TermId,
    samples: &mut Vec<Vec<u64>>,
    until: Instant,
) -> Result<Vec<Candidate>, Reason> {
    let mut space = Space::new(engine, index, head, until);
    if space.places.len() < 2 {
        return Ok(Vec::new());
    }
    space.samples = std::mem::take(samples);
    space.take_samples(head);
    let mut candidates = space.candidates(engine);
    let result = loop {
        let mut conditions = vec![support, engine.address_facts()];
        let wrong = match space.samples.is_empty() {
            true => head.arrivals[0].path,
            false => engine
                .terms
                .or_all(candidates.iter().map(|candidate| candidate.broken)),
        };
        conditions.push(wrong);
        conditions.extend(candidates.iter().map(|candidate| candidate.assumption));
        match decider.ask_by_cases(engine, &conditions, until) {
            Ok(SatResult::Unsat) => break candidates,
            Ok(SatResult::Sat) => {}
            Ok(SatResult::Unknown(_)) | Err(Reason::Time) => break Vec::new(),
            Err(reason) => return Err(reason),
        }
        let before = space.samples.len();
        space.see(engine, decider, head)?;
        candidates = space.candidates(engine);
        if candidates.is_empty() || space.samples.len() == before {
            break Vec::new();
        }
    };
    *samples = space.samples;
    Ok(result)
}

/// The values seen of the places of one head.
struct Space {
    /// Places by their index, and their variables.
    places: Vec<(usize, TermId)>,
    /// All are extended to this width.
    width: u32,
    samples: Vec<Vec<u64>>,
    maker: Maker,
}

impl Space {
    fn new(engine: &Engine<'_>, index: usize, head: &Head, until: Instant) -> Self {
        let maker = Maker::new(engine, index, head, until);
        let numbers = head.places.iter().enumerate().filter_map(|(index, place)| {
            let Sort::BitVec(width) = engine.terms.sort(place.variable) else {
                return None;
            };
            (width <= 64 && maker.tells(place.variable)).then_some((index, place.variable, width))
        });
        let numbers: Vec<_> = numbers.take(MAX_PLACES).collect();
        Space {
            width: numbers.iter().map(|(_, _, width)| *width).max().unwrap_or(1),
            places: numbers
                .iter()
                .map(|(index, variable, _)| (*index, *variable))
                .collect(),
            samples: Vec::new(),
            maker,
        }
    }

    /// Adds what concrete runs showed.
    fn take_samples(&mut self, head: &Head) {
        for seen in head.samples.iter() {
            let number = |(_, variable): &(usize, TermId)| match seen.get(variable)? {
                Value::BitVec(bits) => bits.to_u64(),
                _ => None,
            };
            let values: Option<Vec<u64>> = self.places.iter().map(number).collect();
            self.samples
                .extend(values.filter(|values| !self.samples.contains(values)));
        }
    }

    /// Adds the values of the arrivals that happen in the solver's model.
    fn see(&mut self, engine: &Engine<'_>, decider: &mut Decider<'_>, head: &Head) -> Result<(), Reason> {
        let mut wanted = Vec::new();
        for arrival in &head.arrivals {
            wanted.push(arrival.path);
            wanted.extend(self.places.iter().filter_map(|(index, _)| arrival.values[*index]));
        }
        let model = Model::new(decider.solver.as_mut());
        let values = model
            .evaluate(engine, &wanted)
            .map_err(|error| solver_failed(&error))?;
        for arrival in values.chunks(self.places.len() + 1) {
            if arrival[0].as_bool() != Some(true) {
                continue;
            }
            let number = |value: &Value| match value {
                Value::BitVec(bits) => bits.to_u64().unwrap_or(0),
                _ => 0,
            };
            let sample: Vec<u64> = arrival[1..].iter().map(number).collect();
            if !self.samples.contains(&sample) {
                self.samples.push(sample);
            }
        }
        Ok(())
    }

    fn candidates(&mut self, engine: &mut Engine<'_>) -> Vec<Candidate> {
        if self.samples.is_empty() {
            return Vec::new();
        }
        let equations = kernel(&self.samples, self.places.len(), self.width);
        let predicates: Vec<TermId> = equations
            .iter()
            .map(|equation| self.predicate(engine, equation))
            .collect();
        predicates
            .into_iter()
            .filter_map(|predicate| self.maker.make(engine, predicate))
            .collect()
    }

    /// Positive terms on the left, negative ones on the right.
    fn predicate(&self, engine: &mut Engine<'_>, equation: &Equation) -> TermId {
        let terms = &mut engine.terms;
        let zero = terms.bv_u64(self.width, 0);
        let (mut left, mut right) = (zero, zero);
        let half = 1u64 << (self.width - 1);
        let ones = terms.bv_u64(self.width, 1);
        let factors = self
            .places
            .iter()
            .map(|(_, variable)| Some(*variable))
            .chain([None]);
        for (factor, &coefficient) in factors.zip(equation) {
            if coefficient == 0 {
                continue;
            }
            let value = factor.map_or(ones, |variable| terms.bv_zext(variable, self.width));
            let negative = coefficient >= half;
            let size = if negative {
                coefficient.wrapping_neg()
            } else {
                coefficient
            };
            let size = terms.bv_u64(self.width, size & mask(self.width));
            let product = terms.bv_mul(value, size);
            let side = if negative { &mut right } else { &mut left };
            *side = terms.bv_add(*side, product);
        }
        terms.eq(left, right)
    }
}

fn mask(width: u32) -> u64 {
    match width {
        64.. => u64::MAX,
        _ => (1 << width) - 1,
    }
}

/// The inverse of an odd number modulo 2^64.
fn inverse(odd: u64) -> u64 {
    let mut result = odd;
    for _ in 0..6 {
        result = result.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(result)));
    }
    result
}

/// Equations modulo 2^width that all samples satisfy, each with a coefficient 1 where no later one has one.
///
/// The matrix of the samples (each with a 1 for the constant) is brought into lower echelon form by
/// operations on its columns; the same operations on the identity turn the columns that become zero into
/// equations.
fn kernel(samples: &[Vec<u64>], places: usize, width: u32) -> Vec<Equation> {
    let columns = places + 1;
    let mut matrix: Vec<Vec<u64>> = samples
        .iter()
        .map(|sample| [&sample[..], &[1]].concat())
        .collect();
    let mut operations: Vec<Vec<u64>> = (0..columns)
        .map(|row| (0..columns).map(|column| u64::from(row == column)).collect())
        .collect();
    let mask = mask(width);
    let mut pivots = 0;
    while let Some((row, column)) = least_divisible(&matrix, pivots) {
        matrix.swap(pivots, row);
        for line in matrix.iter_mut().chain(&mut operations) {
            line.swap(pivots, column);
        }
        let row = pivots;
        let pivot = matrix[row][pivots];
        let shift = pivot.trailing_zeros();
        let unit = inverse(pivot >> shift);
        for column in pivots + 1..columns {
            let factor = (matrix[row][column] >> shift).wrapping_mul(unit);
            if factor == 0 {
                continue;
            }
            for line in matrix.iter_mut().chain(&mut operations) {
                line[column] = line[column].wrapping_sub(factor.wrapping_mul(line[pivots])) & mask;
            }
        }
        pivots += 1;
    }
    let equations = (pivots..columns)
        .map(|column| operations.iter().map(|line| line[column] & mask).collect())
        .collect();
    reduced(equations, width)
}

/// The entry of the rows and columns that are left whose power of two divides all of theirs.
fn least_divisible(matrix: &[Vec<u64>], pivots: usize) -> Option<(usize, usize)> {
    let columns = matrix.first().map_or(0, Vec::len);
    let entries = (pivots..matrix.len()).flat_map(|row| (pivots..columns).map(move |column| (row, column)));
    entries
        .filter(|(row, column)| matrix[*row][*column] != 0)
        .min_by_key(|(row, column)| matrix[*row][*column].trailing_zeros())
}

/// Each equation is divided by an odd coefficient of it, and taken from the others so that they lack it.
fn reduced(mut equations: Vec<Equation>, width: u32) -> Vec<Equation> {
    let mask = mask(width);
    for index in 0..equations.len() {
        let coefficients = &equations[index][..equations[index].len() - 1];
        let Some(position) = coefficients.iter().position(|coefficient| coefficient & 1 == 1) else {
            continue;
        };
        let unit = inverse(equations[index][position]);
        for coefficient in &mut equations[index] {
            *coefficient = coefficient.wrapping_mul(unit) & mask;
        }
        let own = equations[index].clone();
        for (other, equation) in equations.iter_mut().enumerate() {
            let factor = equation[position];
            if other != index && factor != 0 {
                for (coefficient, own) in equation.iter_mut().zip(&own) {
                    *coefficient = coefficient.wrapping_sub(factor.wrapping_mul(*own)) & mask;
                }
            }
        }
    }
    equations
}

#[cfg(test)]
mod tests {
    use super::{inverse, kernel, mask};

    #[test]
    fn inverses_are_inverse() {
        for odd in [1u64, 3, 5, 0x1234_5677, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }

    #[test]
    fn a_sum_is_found() {
        let samples = [[0, 0, 0], [1, 2, 3], [7, 250, 1], [9, 9, 18]].map(Vec::from);
        let equations = kernel(&samples, 3, 8);
        assert_eq!(equations, [vec![1, 1, 255, 0]]);
    }

    #[test]
    fn all_samples_satisfy_all_equations() {
        let mut random = kripke_elts::random::Random::new(1);
        for width in [1, 5, 8, 16, 32, 64] {
            for _ in 0..200 {
                let places = 1 + random.below(6);
                let count = 1 + random.below(5);
                let shift = random.below(3) as u32;
                let sample = |random: &mut kripke_elts::random::Random| {
                    (0..places)
                        .map(|_| (random.bits() << shift) & mask(width))
                        .collect::<Vec<u64>>()
                };
                let samples: Vec<Vec<u64>> = (0..count).map(|_| sample(&mut random)).collect();
                let equations = kernel(&samples, places, width);
                assert!(equations.len() + count > places);
                for equation in &equations {
                    for sample in &samples {
                        let products = sample.iter().zip(equation).map(|(x, c)| x.wrapping_mul(*c));
                        let sum = products.fold(equation[places], u64::wrapping_add);
                        assert_eq!(sum & mask(width), 0);
                    }
                }
            }
        }
    }
}
