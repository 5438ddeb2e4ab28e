//! From a formula to a Büchi automaton: normal form, alternating automaton, generalised automaton,
//! reductions, degeneralisation, reductions; of the variants tried, the smallest.

use std::fmt;

use crate::alternating::{Alternating, NextStyle};
use crate::buchi::Buchi;
use crate::degeneralise::orders;
use crate::evaluate::NotLinear;
use crate::formula::{Formula, Quantifier};
use crate::graph::Graph;
use crate::label::Label;
use crate::normal_form::{Form, FormNode, Forms};

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states an automaton may get before reductions.
    pub states: usize,
    /// The most edges a state may get before reductions.
    pub edges: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            states: 20_000,
            edges: 100_000,
        }
    }
}

/// How to translate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether formulas are simplified first.
    pub rewriting: bool,
    /// Whether automata are reduced.
    pub reductions: bool,
    /// The letters that can occur at all; all of them when absent.
    pub letters: Option<Label>,
    /// When to give up.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rewriting: true,
            reductions: true,
            letters: None,
            limits: Limits::default(),
        }
    }
}

/// An automaton would be larger than the limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The limit.
    pub states: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the automaton of this formula would have more than {} states; split the formula into a \
             conjunction of \
             properties and check them one by one",
            self.states
        )
    }
}

impl std::error::Error for TooLarge {}

/// Why there is no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranslateError {
    /// The formula is not LTL.
    NotLinear(NotLinear),
    /// It would be too large.
    TooLarge(TooLarge),
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranslateError::NotLinear(_) => {
                f.write_str("a formula with path quantifiers (A, E) has no Büchi automaton: only LTL has")
            }
            TranslateError::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TranslateError {}

impl From<TooLarge> for TranslateError {
    fn from(error: TooLarge) -> Self {
        TranslateError::TooLarge(error)
    }
}

impl From<NotLinear> for TranslateError {
    fn from(error: NotLinear) -> Self {
        TranslateError::NotLinear(error)
    }
}

/// The Büchi automaton that accepts exactly the words on which the formula holds.
pub fn translate(formula: &Formula, options: &Options) -> Result<Buchi, TranslateError> {
    let mut forms = Forms::new(options.rewriting);
    let form = forms.of_formula(formula).ok_or_else(|| not_linear(formula))?;
    let mut graph = translate_form(&mut forms, form, options)?;
    if options.rewriting && options.reductions && graph.len() > 2 && graph.len() <= VARIANT_LIMIT {
        let mut together = Forms::together();
        let form = together.of_formula(formula).ok_or_else(|| not_linear(formula))?;
        // A failure of the second variant is no failure: there is a graph already.
        if let Ok(other) = translate_form(&mut together, form, options)
            && other.size() < graph.size()
        {
            (graph, forms) = (other, together);
        }
    }
    Ok(Buchi::from_graph(
        formula.atoms().clone(),
        &graph,
        &mut forms.bdds,
        options.letters.as_ref(),
    ))
}

/// Automata with more states than this are not translated a second way.
const VARIANT_LIMIT: usize = 100;

/// The formula after the rewriting that translation does first.
pub fn simplify(formula: &Formula) -> Result<Formula, NotLinear> {
    let mut forms = Forms::new(true);
    let form = forms.of_formula(formula).ok_or(NotLinear(Quantifier::ForAll))?;
    let mut store = formula.store.clone();
    let root = forms.to_formula(form, &mut store);
    Ok(Formula { store, root })
}

pub(crate) fn not_linear(formula: &Formula) -> TranslateError {
    let quantifier = formula
        .store
        .subformulas(formula.root)
        .into_iter()
        .find_map(|id| match formula.store.node(id) {
            crate::formula::Node::Path(quantifier, _) => Some(*quantifier),
            _ => None,
        });
    NotLinear(quantifier.unwrap_or(Quantifier::ForAll)).into()
}

/// The smallest state-based graph among the variants.
pub(crate) fn translate_form(forms: &mut Forms, form: Form, options: &Options) -> Result<Graph, TooLarge> {
    let mut best = variant(forms, form, NextStyle::Split, options)?;
    if options.reductions
        && has_disjunction_below_next(forms, form)
        && best.len() > 1
        && best.len() <= VARIANT_LIMIT
    {
        // A failure of the second variant is no failure: there is a graph already.
        if let Ok(other) = variant(forms, form, NextStyle::Whole, options)
            && other.size() < best.size()
        {
            best = other;
        }
    }
    Ok(best)
}

fn variant(forms: &mut Forms, form: Form, style: NextStyle, options: &Options) -> Result<Graph, TooLarge> {
    let mut generalised = Alternating::new(forms, style, &options.limits).build(form)?;
    let bdds = &mut forms.bdds;
    if let Some(letters) = &options.letters {
        let letters = bdds.label(letters);
        generalised.restrict_letters(letters, bdds);
    }
    if options.reductions {
        generalised.reduce(bdds, false);
    } else {
        generalised.trim();
    }
    let mut best: Option<Graph> = None;
    let orders = if options.reductions {
        orders(generalised.mark_count)
    } else {
        vec![(0..generalised.mark_count).collect()]
    };
    for order in orders {
        let mut graph = generalised.degeneralise(&order, options.limits.states)?;
        if options.reductions {
            graph.reduce(bdds, true);
        } else {
            graph.trim();
        }
        if best.as_ref().is_none_or(|best| graph.size() < best.size()) {
            best = Some(graph);
        }
    }
    Ok(best.unwrap_or_default())
}

fn has_disjunction_below_next(forms: &Forms, form: Form) -> bool {
    // Children have smaller numbers than their parents, but the store holds other forms too: walk.
    let mut pending = vec![(form, true)];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((form, below_next)) = pending.pop() {
        if forms.letters(form).is_some() || !seen.insert((form, below_next)) {
            continue;
        }
        match forms.node(form) {
            FormNode::Or(_) if below_next => return true,
            FormNode::And(list) => pending.extend(list.iter().map(|&f| (f, below_next))),
            FormNode::Or(list) => pending.extend(list.iter().map(|&f| (f, false))),
            FormNode::Next(a) => pending.push((*a, true)),
            FormNode::Until(a, b) | FormNode::Release(a, b) => pending.extend([(*a, false), (*b, false)]),
            FormNode::Constant(_) | FormNode::Literal(..) => {}
        }
    }
    false
}
