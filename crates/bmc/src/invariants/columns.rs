//! What predicates say of all samples at once.
//!
//! Idea: thousands of predicates are made of the same few comparisons, and these of the same few numbers. So
//! each term is evaluated once over all samples, as a column: a truth as one bit for each of them, and
//! another for whether it is known there. A predicate is refuted where it is known to be false, a conjunction
//! by the first of its conjuncts that is.

use std::rc::Rc;

use kripke_smt::{Op, Sort, TermId, Terms, Value, apply};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::invariants::samples::Sample;

/// Columns of so many numbers are kept at once.
const MAX_NUMBERS: usize = 1 << 20;

/// A truth for each sample.
#[derive(Clone)]
struct Truths {
    is_true: Rc<[u64]>,
    is_known: Rc<[u64]>,
}

/// A number for each sample, where it is known.
type Numbers = Rc<Vec<Option<Value>>>;

/// A column, or the number that is the same in all samples.
enum Operand {
    Constant(Value),
    Column(Numbers),
}

impl Operand {
    fn of_sample(&self, index: usize) -> Option<&Value> {
        match self {
            Operand::Constant(value) => Some(value),
            Operand::Column(column) => column[index].as_ref(),
        }
    }
}

/// The columns of the terms that were asked for.
pub(super) struct Columns {
    samples: Rc<Vec<Sample>>,
    truths: FxHashMap<TermId, Truths>,
    numbers: FxHashMap<TermId, Numbers>,
}

impl Columns {
    /// Of these samples, none yet.
    pub fn new(samples: Rc<Vec<Sample>>) -> Self {
        Columns {
            samples,
            truths: FxHashMap::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// Is the predicate false in some sample?
    pub fn refute(&mut self, terms: &Terms, predicate: TermId) -> bool {
        if let (Op::And, [a, b]) = (terms.op(predicate), terms.children(predicate)) {
            return self.refute(terms, *a) || self.refute(terms, *b);
        }
        self.false_in(terms, predicate).any(|word| word != 0)
    }

    /// In which samples the predicate is false: one bit for each, in words.
    pub fn false_in(&mut self, terms: &Terms, predicate: TermId) -> impl Iterator<Item = u64> + use<> {
        let Truths { is_true, is_known } = self.truths(terms, predicate);
        (0..is_true.len()).map(move |word| !is_true[word] & is_known[word])
    }

    fn truths(&mut self, terms: &Terms, term: TermId) -> Truths {
        if let Some(known) = self.truths.get(&term) {
            return known.clone();
        }
        let column = match (terms.op(term), terms.children(term)) {
            (Op::Not, [a]) => {
                let a = self.truths(terms, *a);
                Truths {
                    is_true: words(&a, &a, |x, _| !x.0 & x.1),
                    is_known: a.is_known,
                }
            }
            (Op::And, [a, b]) => {
                let (a, b) = (self.truths(terms, *a), self.truths(terms, *b));
                let is_false = |x: (u64, u64)| !x.0 & x.1;
                Truths {
                    is_true: words(&a, &b, |x, y| x.0 & y.0),
                    is_known: words(&a, &b, |x, y| x.1 & y.1 | is_false(x) | is_false(y)),
                }
            }
            (Op::Or, [a, b]) => {
                let (a, b) = (self.truths(terms, *a), self.truths(terms, *b));
                Truths {
                    is_true: words(&a, &b, |x, y| x.0 | y.0),
                    is_known: words(&a, &b, |x, y| x.1 & y.1 | x.0 | y.0),
                }
            }
            _ => packed(&self.values(terms, term)),
        };
        self.truths.insert(term, column.clone());
        column
    }

    fn numbers(&mut self, terms: &Terms, term: TermId) -> Numbers {
        if let Some(known) = self.numbers.get(&term) {
            return known.clone();
        }
        let column = Rc::new(self.values(terms, term));
        if (self.numbers.len() + 1) * self.samples.len() > MAX_NUMBERS {
            self.numbers.clear();
        }
        self.numbers.insert(term, column.clone());
        column
    }

    /// The column of a term that is no connective of truths, from those of its operands.
    fn values(&mut self, terms: &Terms, term: TermId) -> Vec<Option<Value>> {
        let op = terms.op(term);
        if let Op::Variable(_) = op {
            return self
                .samples
                .iter()
                .map(|sample| sample.get(&term).cloned())
                .collect();
        }
        if let Some(value) = terms.as_value(term) {
            return vec![Some(value); self.samples.len()];
        }
        if let (Op::Select, [array, index]) = (op, terms.children(term)) {
            return self.elements(terms, *array, *index);
        }
        let operands: Vec<Numbers> = terms
            .children(term)
            .to_vec()
            .into_iter()
            .map(|child| match terms.sort(child) {
                Sort::Bool => Rc::new(unpacked(&self.truths(terms, child), self.samples.len())),
                _ => self.numbers(terms, child),
            })
            .collect();
        let of_sample = |index: usize| {
            let values = operands.iter().map(|column| column[index].clone());
            let values: Option<SmallVec<[Value; 4]>> = values.collect();
            values.map(|values| apply(op, &values))
        };
        (0..self.samples.len()).map(of_sample).collect()
    }
}

impl Columns {
    fn operand(&mut self, terms: &Terms, term: TermId) -> Operand {
        match terms.as_value(term) {
            Some(value) => Operand::Constant(value),
            None => Operand::Column(self.numbers(terms, term)),
        }
    }

    /// The column of an array's elements. The arrays that stores lead to are not made: there would be one for
    /// each store and sample.
    fn elements(&mut self, terms: &Terms, mut array: TermId, index: TermId) -> Vec<Option<Value>> {
        let at = self.operand(terms, index);
        let mut elements = vec![None; self.samples.len()];
        let mut open: Vec<usize> = (0..elements.len())
            .filter(|sample| at.of_sample(*sample).is_some())
            .collect();
        while let (Op::Store, [below, index, stored]) = (terms.op(array), terms.children(array))
            && !open.is_empty()
        {
            let (index, stored) = (self.operand(terms, *index), self.operand(terms, *stored));
            open.retain(|sample| {
                let index = index.of_sample(*sample);
                let is_here = index == at.of_sample(*sample);
                if is_here {
                    elements[*sample] = stored.of_sample(*sample).cloned();
                }
                !is_here && index.is_some()
            });
            array = *below;
        }
        if open.is_empty() {
            return elements;
        }
        let (is_same_everywhere, below) = match (terms.op(array), terms.children(array)) {
            (Op::ConstArray(_), [element]) => (true, self.operand(terms, *element)),
            _ => (false, self.operand(terms, array)),
        };
        for sample in open {
            if let (Some(below), Some(at)) = (below.of_sample(sample), at.of_sample(sample)) {
                elements[sample] = Some(match is_same_everywhere {
                    true => below.clone(),
                    false => apply(Op::Select, &[below.clone(), at.clone()]),
                });
            }
        }
        elements
    }
}

/// Combines two columns, each word with the word of what is known.
fn words(a: &Truths, b: &Truths, combine: impl Fn((u64, u64), (u64, u64)) -> u64) -> Rc<[u64]> {
    (0..a.is_true.len())
        .map(|word| {
            combine(
                (a.is_true[word], a.is_known[word]),
                (b.is_true[word], b.is_known[word]),
            )
        })
        .collect()
}

fn packed(values: &[Option<Value>]) -> Truths {
    let bits = |is_set: fn(&Option<Value>) -> bool| {
        let word = |values: &[Option<Value>]| {
            let bits = values.iter().enumerate();
            bits.fold(0, |word, (bit, value)| word | u64::from(is_set(value)) << bit)
        };
        values.chunks(64).map(word).collect()
    };
    Truths {
        is_true: bits(|value| *value == Some(Value::Bool(true))),
        is_known: bits(Option::is_some),
    }
}

fn unpacked(truths: &Truths, count: usize) -> Vec<Option<Value>> {
    let bit = |words: &[u64], index: usize| words[index / 64] >> (index % 64) & 1 == 1;
    (0..count)
        .map(|index| bit(&truths.is_known, index).then(|| Value::Bool(bit(&truths.is_true, index))))
        .collect()
}

#[cfg(test)]
mod tests {
    use kripke_smt::{ArrayValue, Evaluator};
    use kripke_value::BitVec;

    use super::*;

    const TRUTHS: [Option<bool>; 3] = [Some(false), Some(true), None];

    /// All pairs of truths as samples of two variables, often enough for several words.
    fn pairs(a: TermId, b: TermId) -> Vec<(Option<bool>, Option<bool>, Sample)> {
        let pairs = TRUTHS.iter().flat_map(|x| TRUTHS.iter().map(|y| (*x, *y)));
        let sample = |(x, y): (Option<bool>, Option<bool>)| {
            let values = [(a, x), (b, y)].into_iter();
            let known = values.filter_map(|(variable, truth)| Some((variable, Value::Bool(truth?))));
            (x, y, known.collect())
        };
        let once: Vec<_> = pairs.map(sample).collect();
        once.iter().cycle().take(once.len() * 15).cloned().collect()
    }

    /// A connective of two truths has these values.
    #[track_caller]
    fn check(
        make: impl Fn(&mut Terms, TermId, TermId) -> TermId,
        expected: impl Fn(Option<bool>, Option<bool>) -> Option<bool>,
    ) {
        let mut terms = Terms::new();
        let (a, b) = (terms.variable("a", Sort::Bool), terms.variable("b", Sort::Bool));
        let term = make(&mut terms, a, b);
        let pairs = pairs(a, b);
        let samples = pairs.iter().map(|(.., sample)| sample.clone()).collect();
        let column = Columns::new(Rc::new(samples)).truths(&terms, term);
        for ((x, y, sample), found) in pairs.iter().zip(unpacked(&column, pairs.len())) {
            let expected = expected(*x, *y);
            assert_eq!(found, expected.map(Value::Bool), "{x:?}, {y:?}");
            let refuted = Columns::new(Rc::new(vec![sample.clone()])).refute(&terms, term);
            assert_eq!(refuted, expected == Some(false), "{x:?}, {y:?}");
        }
    }

    #[test]
    fn connectives_are_those_of_three_valued_logic() {
        let not = |x: Option<bool>| x.map(|x| !x);
        let and = |x: Option<bool>, y: Option<bool>| match (x, y) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        check(|terms, a, _| terms.not(a), |x, _| not(x));
        check(|terms, a, b| terms.and(a, b), and);
        check(|terms, a, b| terms.or(a, b), |x, y| not(and(not(x), not(y))));
        check(|terms, a, b| terms.implies(a, b), |x, y| not(and(x, not(y))));
    }

    /// Elements of an array with stores, where indexes, what is stored and the array below are known or not.
    #[test]
    fn elements_of_arrays_are_those_of_the_evaluator() {
        let mut terms = Terms::new();
        let sort = Sort::Array { index: 2, element: 8 };
        let below = terms.variable("below", sort);
        let (i, at) = (
            terms.variable("i", Sort::BitVec(2)),
            terms.variable("at", Sort::BitVec(2)),
        );
        let x = terms.variable("x", Sort::BitVec(8));
        let (two, seven) = (terms.bv_u64(2, 2), terms.bv_u64(8, 7));
        let everywhere = terms.const_array(2, x);
        let bits = |width, value| Value::BitVec(BitVec::new(width, value));
        for array in [below, everywhere] {
            let array = terms.store(array, two, seven);
            let array = terms.store(array, i, x);
            let element = terms.select(array, at);
            let known = ArrayValue::constant(2, BitVec::new(8, 9)).with(BitVec::new(2, 1), BitVec::new(8, 5));
            for (i_is, at_is) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                let all = [
                    (i, bits(2, i_is)),
                    (at, bits(2, at_is)),
                    (x, bits(8, 3)),
                    (below, Value::Array(known.clone())),
                ];
                for missing in 0..=all.len() {
                    let given = all.iter().enumerate().filter(|(number, _)| *number != missing);
                    let sample: Sample = given.map(|(_, known)| known.clone()).collect();
                    let values = Columns::new(Rc::new(vec![sample.clone()])).values(&terms, element);
                    let value = |variable: TermId| {
                        let known = all.iter().find(|(known, _)| *known == variable);
                        known.map_or(Value::zero(terms.sort(variable)), |(_, value)| value.clone())
                    };
                    let expected = Evaluator::new(&terms, &value).evaluate(element);
                    match &values[0] {
                        Some(found) => assert_eq!(*found, expected),
                        None => assert!(missing < all.len(), "everything is known"),
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_not_known_decide_nothing() {
        let mut terms = Terms::new();
        let number = terms.variable("n", Sort::BitVec(8));
        let five = terms.bv_u64(8, 5);
        let is_less = terms.bv_ult(number, five);
        let sample = |value: u128| {
            let value = Value::BitVec(BitVec::new(8, value));
            Sample::from_iter([(number, value)])
        };
        let refutes = |samples: Vec<Sample>| Columns::new(Rc::new(samples)).refute(&terms, is_less);
        assert!(!refutes(vec![Sample::default(), sample(4)]));
        assert!(refutes(vec![sample(4), Sample::default(), sample(5)]));
        assert!(!refutes(Vec::new()));
    }
}
