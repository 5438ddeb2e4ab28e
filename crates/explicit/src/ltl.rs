//! LTL by the product with the Büchi automaton of the negated formula: Couvreur's algorithm.
//!
//! Idea: one depth-first search over the product finds its strongly connected components; the roots of the
//! open ones are kept on a stack, each with the mark whether its component has an accepting state. An edge
//! back to an open state merges components, and when the merged one has that mark, a run that breaks the
//! formula exists, and the search ends: with the first edge that closes an accepting cycle, before any
//! component is complete.
//!
//! Nested depth-first search was rejected though it needs fewer bits per product state: it makes the
//! successors of many states twice, and making a successor of a microcontroller costs more than looking up a
//! number; and it finds the cycle only when it backtracks from an accepting state.
//!
//! Invariant: product states with a number are open (their component is not complete) until they are `DONE`;
//! a `DONE` state lies on no accepting cycle, nor reaches one.
//!
//! Sources: Couvreur 1999; Schwoon and Esparza 2005 for the comparison; the [mc]square thesis, chapter 7.

use kripke_limits::{Exhausted, Limits};
use kripke_logic::{Buchi, Formula, Options, TranslateError, translate};
use kripke_model::KripkeStructure;

use crate::invariant::Exploration;
use crate::lasso::LassoPath;
use crate::limits::{Stopped, too_many};
use crate::pieces::Pieces;
use crate::product::{Product, ProductState};
use crate::shorten::shortest_lasso;

/// An LTL formula ready to be checked.
#[derive(Clone, Debug)]
pub struct LtlFormula {
    formula: Formula,
    negation: Buchi,
}

impl LtlFormula {
    /// Translates the negation of a formula.
    pub fn new(formula: &Formula, options: &Options) -> Result<Self, TranslateError> {
        Ok(LtlFormula {
            formula: formula.clone(),
            negation: translate(&formula.negated(), options)?,
        })
    }

    /// The formula itself.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The automaton of its negation.
    pub fn negation(&self) -> &Buchi {
        &self.negation
    }
}

/// The answer of the LTL checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LtlResult {
    /// A run on which the formula is false; none where it holds on all runs.
    pub counterexample: Option<LassoPath>,
    /// Cost.
    pub exploration: Exploration,
    /// States of the product.
    pub product_states: u64,
}

/// Not visited.
pub(crate) const UNSEEN: u32 = 0;
/// Its component is complete, without an accepting cycle.
pub(crate) const DONE: u32 = u32::MAX;

/// Checks that the formula holds on every run from every initial state.
///
/// # Panics When the counterexample found does not refute the formula by the independent evaluator: a defect
/// of the checker.
pub fn check_ltl<M: KripkeStructure>(
    model: &mut M,
    formula: &LtlFormula,
    limits: &Limits,
) -> Result<LtlResult, Stopped> {
    let mut search = Search::new(Product::new(model, formula.negation.clone(), limits));
    let initial = search.product.initial_states()?;
    search.grow_numbers()?;
    let mut counterexample = None;
    for &start in &initial {
        if search.number(start) == UNSEEN && search.run(start)? {
            // A model that asked for the search to end may have handed out successors that it does not stand
            // by.
            search.product.guard.interrupted(&search.product.store)?;
            let lasso = search.counterexample(&initial)?;
            if !lasso.refutes(search.product.model(), &formula.formula) {
                // A model may have to find its initial states anew, and looks at the limits then.
                search.product.guard.look_now(&search.product.store)?;
                panic!("the lasso found does not refute the formula");
            }
            counterexample = Some(lasso);
            break;
        }
    }
    Ok(LtlResult {
        counterexample,
        exploration: search.exploration(),
        product_states: search.visited,
    })
}

/// A component that is still open.
struct Root {
    number: u32,
    accepting: bool,
}

struct Search<'a, M> {
    product: Product<'a, M>,
    /// Per product state: `UNSEEN`, its number in the order of discovery, or `DONE`.
    numbers: Pieces<u32>,
    next: u32,
    visited: u64,
    /// The states on the current path, each with the start of its successors.
    path: Vec<(ProductState, usize)>,
    /// Successors still to be visited of all states on the path.
    pending: Vec<ProductState>,
    roots: Vec<Root>,
    /// States of open components, by number.
    open: Vec<ProductState>,
}

impl<'a, M: KripkeStructure> Search<'a, M> {
    fn new(product: Product<'a, M>) -> Self {
        Search {
            numbers: Pieces::new(product.guard.account()),
            product,
            next: 1,
            visited: 0,
            path: Vec::new(),
            pending: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
        }
    }

    fn number(&self, at: ProductState) -> u32 {
        self.numbers.at(self.product.index(at))
    }

    fn set_number(&mut self, at: ProductState, number: u32) {
        let index = self.product.index(at);
        self.numbers.set(index, number);
    }

    fn grow_numbers(&mut self) -> Result<(), Stopped> {
        let size = self.product.store.len() * self.product.automaton_states();
        let grown = self.numbers.grow(size, UNSEEN);
        grown.map_err(|exhausted| self.stopped(exhausted))
    }

    fn stopped(&self, exhausted: Exhausted) -> Stopped {
        self.product.guard.stopped(exhausted, &self.product.store)
    }

    fn memory(&self) -> usize {
        self.product.memory()
            + self.numbers.memory()
            + self.path.capacity() * size_of::<(ProductState, usize)>()
            + (self.pending.capacity() + self.open.capacity()) * size_of::<ProductState>()
            + self.roots.capacity() * size_of::<Root>()
    }

    fn exploration(&self) -> Exploration {
        self.product.guard.ended(self.product.store.len() as u64);
        Exploration {
            stored: self.product.store.len() as u64,
            created: self.product.guard.created,
            memory: self.memory() as u64,
        }
    }

    /// Searches from a state; true when an accepting cycle was closed.
    fn run(&mut self, start: ProductState) -> Result<bool, Stopped> {
        self.enter(start)?;
        while let Some(&(at, first)) = self.path.last() {
            if self.pending.len() == first {
                self.leave(at);
                continue;
            }
            let Some(next) = self.pending.pop() else {
                break;
            };
            match self.number(next) {
                UNSEEN => self.enter(next)?,
                DONE => {}
                number => {
                    if self.merge(number) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn enter(&mut self, at: ProductState) -> Result<(), Stopped> {
        self.product.guard.depth = self.path.len() as u64;
        self.product.guard.open = self.pending.len() as u64;
        self.product.guard.expansion(&self.product.store)?;
        if self.next == DONE {
            return Err(too_many("states of the product", &self.product.store));
        }
        self.set_number(at, self.next);
        let first = self.pending.len();
        let root = Root {
            number: self.next,
            accepting: self.product.is_accepting(at),
        };
        let account = self.product.guard.account();
        let pushed = account
            .push(&mut self.roots, root)
            .and_then(|()| account.push(&mut self.open, at))
            .and_then(|()| account.push(&mut self.path, (at, first)));
        pushed.map_err(|exhausted| self.stopped(exhausted))?;
        self.next += 1;
        self.visited += 1;
        self.product.successors(at, &mut self.pending)?;
        // The model's first successor is visited first.
        self.pending[first..].reverse();
        self.grow_numbers()
    }

    fn leave(&mut self, at: ProductState) {
        self.path.pop();
        let number = self.number(at);
        if self.roots.last().is_none_or(|root| root.number != number) {
            return;
        }
        self.roots.pop();
        while let Some(member) = self.open.pop() {
            self.set_number(member, DONE);
            if member == at {
                break;
            }
        }
        // Numbers of complete components are free again: open states keep the ones below.
        self.next = number;
    }

    /// Merges all components down to that of an open state; true when the result has an accepting state.
    fn merge(&mut self, number: u32) -> bool {
        let mut accepting = false;
        while let Some(root) = self.roots.last_mut() {
            if root.number <= number {
                root.accepting |= accepting;
                return root.accepting;
            }
            accepting |= root.accepting;
            self.roots.pop();
        }
        accepting
    }

    /// The accepting component is the topmost one.
    fn counterexample(&mut self, initial: &[ProductState]) -> Result<LassoPath, Stopped> {
        let root = self.roots.last().map_or(1, |root| root.number);
        shortest_lasso(&mut self.product, &self.numbers, initial, root)
    }
}
