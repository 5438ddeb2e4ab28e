//! States in which a position is one of a few constants become several, in each of which it is one.
//!
//! Idea: a position ([`crate::positions`]) that was read from a table, or merged where states were not kept
//! apart, is a choice of constants. What is accessed there would be a choice among all places, what is read
//! another position, and so on. So the state parts by what decides the choice, as at a branch.
//!
//! Invariant: the paths of what a state becomes exclude each other and cover its path.
//!
//! Source: forking at symbolic pointers, as in KLEE; C. Cadar, D. Dunbar, D. Engler, "KLEE: Unassisted and
//! Automatic Generation of High-Coverage Tests for Complex Systems Programs" (OSDI 2008), section 3.2.

use kripke_elts::{Id, VariableId};
use kripke_smt::{Op, TermId};

use crate::activation::Key;
use crate::engine::Engine;
use crate::state::State;
use crate::value::Value;

/// A position that is one of so many constants at most is one of them in each of as many states.
const MAX_CHOICES: usize = 4;

/// A position that is a choice.
struct Choice {
    variable: VariableId,
    condition: TermId,
    then: TermId,
    otherwise: TermId,
}

impl Engine<'_> {
    /// States at a location in which no position is a choice of a few constants.
    pub(crate) fn split_choices(&mut self, key: &Key, states: Vec<State>) -> Vec<State> {
        let graph = self.top().graph.clone();
        let location = graph.location(key);
        if self.has_threads() || !self.may_part(&graph, location) {
            return states;
        }
        let variables = self.positions_at(&graph, location);
        let mut open = states;
        let mut split = Vec::with_capacity(open.len());
        while let Some(state) = open.pop() {
            match self.choice_in(&state, &variables) {
                None => split.push(state),
                Some(choice) => self.split(state, &choice, &mut open),
            }
        }
        split
    }

    fn split(&mut self, state: State, choice: &Choice, split: &mut Vec<State>) {
        let not = self.terms.not(choice.condition);
        for (condition, value) in [(choice.condition, choice.then), (not, choice.otherwise)] {
            if let Some(path) = self.run.paths.extend(&mut self.terms, state.path, condition) {
                let mut state = State {
                    path,
                    ..state.clone()
                };
                state
                    .frame
                    .set(choice.variable.index() as u64, Value::Term(value));
                split.push(state);
            }
        }
    }

    /// The first of the variables that is a choice of a few constants.
    fn choice_in(&self, state: &State, variables: &[VariableId]) -> Option<Choice> {
        variables.iter().find_map(|variable| {
            let value = state.frame.get(variable.index() as u64);
            let Some(Value::Term(term)) = value.filter(|value| self.is_choice(value)) else {
                return None;
            };
            let &[condition, then, otherwise] = self.terms.children(*term) else {
                return None;
            };
            Some(Choice {
                variable: *variable,
                condition,
                then,
                otherwise,
            })
        })
    }

    fn is_choice(&self, value: &Value) -> bool {
        let Value::Term(term) = value else { return false };
        self.terms.op(*term) == Op::Ite && self.constants_of(*term, MAX_CHOICES).is_some()
    }

    /// How many constants a term may be, if those and not more than so many.
    fn constants_of(&self, term: TermId, most: usize) -> Option<usize> {
        match (self.terms.op(term), self.terms.children(term)) {
            _ if self.terms.is_const(term) => (most > 0).then_some(1),
            (Op::Ite, [_, then, otherwise]) => {
                let first = self.constants_of(*then, most)?;
                Some(first + self.constants_of(*otherwise, most - first)?)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::options::Options;

    /// How many conditions paths have where `i` is given a value, and then this is done.
    fn conditions(value: &str, then: &str) -> usize {
        let text = format!(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             site0 \"buffer\" align 4 @1:1\np0 pointer \"access\" in main @1:1\n\
             function main() -> () entry l0 exit l1 @1:1 {{\n\
             local ptr p;\nlocal i32 i;\nlocal i32 x;\nlocal i8 y;\n\
             l0 \"\": when true {{ p = stack(128i32) site0; x = nondet input \"in\"; \
             i = {value}; }} goto l2;\n\
             l1 \"\":\n\
             l2 \"\": when true {{ {then} }} goto l1;\n}}\n",
        );
        let program = kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let options = Options::default();
        let mut engine = Engine::new(&program, &options);
        engine.unwind(1).expect("no limit stops it");
        engine.run.paths.count()
    }

    const ACCESS: &str = "*i8(p +p i) = 1i8 align 1 pointer p0;";
    const TWO: &str = "(x == 7i32) ? 1i32 : 2i32";
    const FOUR: &str = "(x <u 7i32) ? ((x <u 3i32) ? 0i32 : 1i32) : ((x <u 9i32) ? 2i32 : 3i32)";

    #[test]
    fn a_position_that_is_one_of_a_few_constants_is_one_of_them_in_each_state() {
        let none = conditions("1i32", ACCESS);
        assert_eq!(conditions(TWO, ACCESS), none + 2);
        assert_eq!(conditions(FOUR, ACCESS), none + 6);
    }

    #[test]
    fn what_is_no_position_or_one_of_many_stays_a_choice() {
        let none = conditions("1i32", ACCESS);
        assert_eq!(conditions(TWO, "y = trunc<i8>(i);"), none);
        let many = format!("(x == 11i32) ? 9i32 : ({FOUR})");
        assert_eq!(conditions(&many, ACCESS), none);
    }
}
