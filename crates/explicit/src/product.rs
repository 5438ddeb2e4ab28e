//! The product of a model with the Büchi automaton of the negated formula, made on the fly.
//!
//! Idea: a product state is (model state, automaton state); the automaton reads the labels of the model state
//! it leaves. Labels are reduced to the atoms that the automaton looks at and numbered, so that the
//! automaton's moves are one look into a table, and a product state from which the automaton cannot move is
//! never made.
//!
//! Invariant: a model state that ends a run repeats for ever, so every product state whose automaton part can
//! move has a successor.

use std::collections::HashMap;
use std::ops::ControlFlow;

use kripke_limits::{Exhausted, Limits};
use kripke_logic::{Buchi, Letter, StateId as AutomatonState};
use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Guard, Stopped};
use crate::pieces::Pieces;
use crate::state_store::{StateId, StateStore};
use crate::successors::{Successors, store_initial};

/// A state of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProductState {
    pub(crate) state: StateId,
    pub(crate) automaton: u32,
}

/// The automaton's moves by letter, filled in as letters turn up.
struct Moves {
    automaton: Buchi,
    /// The atoms that any edge looks at.
    relevant: u64,
    letters: HashMap<u64, u32>,
    /// Per letter and automaton state: where its targets lie.
    rows: Vec<(u32, u32)>,
    targets: Vec<u32>,
}

impl Moves {
    fn new(automaton: Buchi) -> Self {
        let relevant = automaton
            .states
            .iter()
            .flat_map(|state| &state.edges)
            .flat_map(|edge| edge.label.cubes())
            .fold(0, |bits, cube| bits | cube.positive | cube.negative);
        Moves {
            automaton,
            relevant,
            letters: HashMap::new(),
            rows: Vec::new(),
            targets: Vec::new(),
        }
    }

    fn letter(&mut self, labels: Labels) -> u32 {
        let letter = labels & self.relevant;
        if let Some(&number) = self.letters.get(&letter) {
            return number;
        }
        let number = self.letters.len() as u32;
        self.letters.insert(letter, number);
        for state in 0..self.automaton.state_count() {
            let start = self.targets.len() as u32;
            for target in self
                .automaton
                .successors(AutomatonState::new(state), Letter(letter))
            {
                let target = target.index() as u32;
                if !self.targets[start as usize..].contains(&target) {
                    self.targets.push(target);
                }
            }
            self.rows.push((start, self.targets.len() as u32));
        }
        number
    }

    fn targets(&self, letter: u32, automaton: u32) -> &[u32] {
        let (start, end) = self.rows[letter as usize * self.automaton.state_count() + automaton as usize];
        &self.targets[start as usize..end as usize]
    }
}

/// The product as far as it was made.
pub(crate) struct Product<'a, M> {
    model: &'a mut M,
    pub(crate) store: StateStore,
    /// Per model state: the number of its letter.
    letters: Pieces<u32>,
    moves: Moves,
    /// The letter met last: neighbours mostly have the same.
    last_letter: Option<(u64, u32)>,
    current: Vec<u8>,
    next: Successors,
    pub(crate) guard: Guard,
}

impl<'a, M: KripkeStructure> Product<'a, M> {
    pub(crate) fn new(model: &'a mut M, automaton: Buchi, limits: &Limits) -> Self {
        let size = model.state_size();
        let guard = Guard::new(limits);
        Product {
            model,
            store: StateStore::new(size, limits, guard.account()),
            letters: Pieces::new(guard.account()),
            moves: Moves::new(automaton),
            last_letter: None,
            current: Vec::new(),
            next: Successors::default(),
            guard,
        }
    }

    pub(crate) fn automaton_states(&self) -> usize {
        self.moves.automaton.state_count()
    }

    /// The place of a product state in tables with a row for each model state.
    pub(crate) fn index(&self, at: ProductState) -> usize {
        at.state.index() * self.automaton_states() + at.automaton as usize
    }

    pub(crate) fn is_accepting(&self, at: ProductState) -> bool {
        self.moves.automaton.states[at.automaton as usize].accepting
    }

    pub(crate) fn memory(&self) -> usize {
        self.store.memory() + self.letters.memory()
    }

    /// The model.
    pub(crate) fn model(&mut self) -> &mut M {
        self.model
    }

    /// Initial states from which the automaton can move.
    pub(crate) fn initial_states(&mut self) -> Result<Vec<ProductState>, Stopped> {
        let states = store_initial(self.model, &mut self.store, &mut self.guard)?;
        self.read_letters()?;
        let automaton = self.moves.automaton.initial.index() as u32;
        let pairs = states.into_iter().map(|state| ProductState { state, automaton });
        Ok(pairs.filter(|&pair| self.can_move(pair)).collect())
    }

    fn stopped(&self, exhausted: Exhausted) -> Stopped {
        self.guard.stopped(exhausted, &self.store)
    }

    fn read_letters(&mut self) -> Result<(), Stopped> {
        while self.letters.len() < self.store.len() {
            let state = StateId::new(self.letters.len());
            let labels = self.model.labels(&self.store.state(state)) & self.moves.relevant;
            let number = match self.last_letter {
                Some((letter, number)) if letter == labels => number,
                _ => self.moves.letter(labels),
            };
            self.last_letter = Some((labels, number));
            if let Err(exhausted) = self.letters.push(number) {
                return Err(self.stopped(exhausted));
            }
        }
        Ok(())
    }

    fn can_move(&self, at: ProductState) -> bool {
        !self
            .moves
            .targets(self.letters.at(at.state.index()), at.automaton)
            .is_empty()
    }

    /// Appends the successors of a product state.
    pub(crate) fn successors(
        &mut self,
        at: ProductState,
        successors: &mut Vec<ProductState>,
    ) -> Result<(), Stopped> {
        self.next
            .store(self.model, &mut self.store, at.state, &mut self.guard)?;
        self.read_letters()?;
        let stay = [at.state];
        let next = match self.next.ids() {
            [] => &stay,
            next => next,
        };
        let targets = self
            .moves
            .targets(self.letters.at(at.state.index()), at.automaton);
        let room = self
            .guard
            .account()
            .reserve(successors, next.len() * targets.len());
        room.map_err(|exhausted| self.stopped(exhausted))?;
        for &automaton in targets {
            for &state in next {
                let next = ProductState { state, automaton };
                if self.can_move(next) {
                    successors.push(next);
                }
            }
        }
        Ok(())
    }

    /// The successors whose model states are stored already, each with its place and what leads to it
    /// (nothing, where the run ends). Stores nothing.
    pub(crate) fn known_successors(
        &mut self,
        at: ProductState,
        mut visit: impl FnMut(usize, ProductState, Option<Choice>),
    ) -> Result<(), Stopped> {
        self.store.read(at.state, &mut self.current);
        let (store, moves) = (&self.store, &self.moves);
        let targets = moves.targets(self.letters.at(at.state.index()), at.automaton);
        let automaton_states = moves.automaton.state_count();
        let mut visit_all = |state: StateId, choice| {
            for &automaton in targets {
                let index = state.index() * automaton_states + automaton as usize;
                visit(index, ProductState { state, automaton }, choice);
            }
        };
        let mut result = Ok(());
        let (mut terminal, guard) = (true, &mut self.guard);
        self.model.successors(&self.current, &mut |choice, state| {
            terminal = false;
            if let Some(id) = store.find(state) {
                visit_all(id, Some(choice));
            }
            result = guard.step(store);
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        if terminal {
            visit_all(at.state, None);
        }
        result
    }
}
