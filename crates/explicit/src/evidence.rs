//! Why a CTL formula holds or fails: a graph of obligations, and a checker that trusts nobody.
//!
//! Idea: an obligation says "in this state, this part of the formula is true (or false)" and is justified by
//! others: in the same state for the parts of a connective, one step on for a temporal operator. Parts shared
//! between branches are one obligation, so the whole is a graph; its only cycles are those by which `E G`
//! holds and `A F` fails.
//!
//! What [`CtlEvidence::verify`] establishes, from the model and the formula alone: the roots are initial
//! states (all of them where the formula is said to hold); propositions are what the labels say; each
//! obligation follows from its links; a claim about all successors has a link for each of them; and an until
//! that is true is reached in finitely many steps, since ranks decrease along its steps. Then the verdict
//! follows, by induction over ranks for a true until and by coinduction for a false one, except for the
//! claims that were left to the search: those are counted, and there are none at [`Detail::Proof`].

use std::collections::HashMap;
use std::fmt;

use kripke_model::{Choice, KripkeStructure};

use crate::ctl::{CtlFormula, CtlNode, NodeId};
use crate::invariant::Path;
use crate::lasso::LassoPath;

/// How far evidence goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What a person wants to see: runs. That something holds on all runs is left to the search that found
    /// it.
    Outline,
    /// Everything, often as large as the state space.
    Proof,
}

/// How an obligation's state is related to that of one it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The same state.
    Here,
    /// A successor, by this choice.
    By(Choice),
    /// The same state, which ends a run and so repeats.
    Stays,
}

/// An obligation that another rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its place in the list of obligations.
    pub to: usize,
    /// Where it is.
    pub step: Step,
}

/// Why an obligation is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Justification {
    /// By the labels of the state.
    Labels,
    /// By other obligations.
    Links(Vec<Link>),
    /// By a search of all runs from here, which is not repeated.
    Searched,
}

/// A part of the formula that is true or false in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The state, by its place in the list of states.
    pub state: usize,
    /// The part, by its place in the normal form.
    pub(crate) node: NodeId,
    /// Whether it is true there.
    pub holds: bool,
    /// Decreases along the steps of a true until.
    pub(crate) rank: u32,
    /// Why.
    pub justification: Justification,
}

/// Why a formula holds in all initial states, or fails in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlEvidence {
    /// The verdict it is for.
    pub holds: bool,
    /// The states that occur.
    pub states: Vec<Box<[u8]>>,
    /// What is true and false in them.
    pub obligations: Vec<Obligation>,
    /// The obligations that state the verdict.
    pub roots: Vec<usize>,
}

/// The run an obligation unfolds to, where a run is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// What comes after the last state does not matter.
    Finite(Path),
    /// It goes on for ever.
    Infinite(LassoPath),
}

/// Evidence that proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEvidence {
    /// The obligation that is not justified; none where the roots are wrong.
    pub obligation: Option<usize>,
    /// What is wrong.
    pub message: &'static str,
}

impl fmt::Display for BadEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.obligation {
            Some(obligation) => write!(f, "obligation {obligation}: {}", self.message),
            None => f.write_str(self.message),
        }
    }
}

impl std::error::Error for BadEvidence {}

impl CtlEvidence {
    /// Checks every justification against the model. Says how many claims were left to the search.
    pub fn verify<M: KripkeStructure>(
        &self,
        model: &mut M,
        formula: &CtlFormula,
    ) -> Result<usize, BadEvidence> {
        self.verify_roots(model, formula)?;
        let mut searched = 0;
        for (index, obligation) in self.obligations.iter().enumerate() {
            let bad = |message| BadEvidence {
                obligation: Some(index),
                message,
            };
            if obligation.state >= self.states.len() || obligation.node >= formula.nodes.len() {
                return Err(bad("its state or its part of the formula is missing"));
            }
            match &obligation.justification {
                Justification::Labels => self.verify_labels(model, formula, obligation).map_err(bad)?,
                Justification::Links(links) => {
                    self.verify_steps(model, obligation, links).map_err(bad)?;
                    self.verify_links(model, formula, obligation, links)
                        .map_err(bad)?;
                }
                Justification::Searched if is_universal(formula, obligation) => searched += 1,
                Justification::Searched => {
                    return Err(bad("only claims about all runs may be left to the search"));
                }
            }
        }
        Ok(searched)
    }

    fn verify_roots<M: KripkeStructure>(
        &self,
        model: &mut M,
        formula: &CtlFormula,
    ) -> Result<(), BadEvidence> {
        let bad = |message| BadEvidence {
            obligation: None,
            message,
        };
        let mut roots = Vec::new();
        for &root in &self.roots {
            let root = self.obligations.get(root).ok_or(bad("a root is missing"))?;
            if root.node != formula.root || root.holds != self.holds {
                return Err(bad("a root does not state the verdict"));
            }
            roots.push(self.states.get(root.state).ok_or(bad("a state is missing"))?);
        }
        let (mut covered, mut known) = (true, vec![false; roots.len()]);
        model.initial_states(&mut |state| {
            let place = roots.iter().position(|root| ***root == *state);
            covered &= place.is_some();
            if let Some(place) = place {
                known[place] = true;
            }
        });
        if !known.into_iter().all(|known| known) {
            return Err(bad("a root is no initial state"));
        }
        match self.holds {
            true if !covered => Err(bad("an initial state has no root")),
            false if roots.is_empty() => Err(bad("a formula that fails needs a root")),
            _ => Ok(()),
        }
    }

    fn verify_labels<M: KripkeStructure>(
        &self,
        model: &mut M,
        formula: &CtlFormula,
        obligation: &Obligation,
    ) -> Result<(), &'static str> {
        let CtlNode::Proposition(p) = &formula.nodes[obligation.node] else {
            return Err("only propositions are decided by labels");
        };
        if p.holds(model.labels(&self.states[obligation.state])) == obligation.holds {
            Ok(())
        } else {
            Err("the labels say otherwise")
        }
    }

    /// Every link leads where it says.
    fn verify_steps<M: KripkeStructure>(
        &self,
        model: &mut M,
        obligation: &Obligation,
        links: &[Link],
    ) -> Result<(), &'static str> {
        let from = &self.states[obligation.state];
        for link in links {
            let to = self.obligations.get(link.to).ok_or("a link leads nowhere")?;
            let to = self.states.get(to.state).ok_or("a state is missing")?;
            let right = match link.step {
                Step::Here => from == to,
                Step::By(choice) => crate::lasso::leads_to(model, from, choice, to),
                Step::Stays => from == to && crate::lasso::is_terminal(model, from),
            };
            if !right {
                return Err("a link's step is not one of the model");
            }
        }
        Ok(())
    }

    fn verify_links<M: KripkeStructure>(
        &self,
        model: &mut M,
        formula: &CtlFormula,
        obligation: &Obligation,
        links: &[Link],
    ) -> Result<(), &'static str> {
        let here = |node: NodeId, holds: bool| {
            links.iter().any(|link| {
                let to = &self.obligations[link.to];
                link.step == Step::Here && (to.node, to.holds) == (node, holds)
            })
        };
        let one_step = |node: NodeId, holds: bool| {
            links.iter().any(|link| {
                let to = &self.obligations[link.to];
                link.step != Step::Here && (to.node, to.holds) == (node, holds)
            })
        };
        let node = obligation.node;
        // Of a true until, a link that does not come closer counts for nothing.
        let closer = links.iter().all(|link| {
            let to = &self.obligations[link.to];
            to.node != node || to.rank < obligation.rank
        });
        let right = match (&formula.nodes[node], obligation.holds) {
            (CtlNode::Proposition(_), _) => false,
            (CtlNode::Not(a), holds) => here(*a, !holds),
            (CtlNode::And(a, b), true) => here(*a, true) && here(*b, true),
            (CtlNode::And(a, b), false) => here(*a, false) || here(*b, false),
            (CtlNode::Or(a, b), true) => here(*a, true) || here(*b, true),
            (CtlNode::Or(a, b), false) => here(*a, false) && here(*b, false),
            (CtlNode::ExistsNext(a), true) => one_step(*a, true),
            (CtlNode::ExistsNext(a), false) => self.covers(model, obligation, links, *a),
            (CtlNode::ExistsUntil(a, b), true) => {
                here(*b, true) || closer && here(*a, true) && one_step(node, true)
            }
            (CtlNode::ExistsUntil(a, b), false) => {
                here(*b, false) && (here(*a, false) || self.covers(model, obligation, links, node))
            }
            (CtlNode::AllUntil(a, b), true) => {
                here(*b, true) || closer && here(*a, true) && self.covers(model, obligation, links, node)
            }
            (CtlNode::AllUntil(a, b), false) => here(*b, false) && (here(*a, false) || one_step(node, false)),
        };
        if right {
            Ok(())
        } else {
            Err("its links do not suffice")
        }
    }

    /// Whether there is a link, with the obligation's own polarity, for each successor.
    fn covers<M: KripkeStructure>(
        &self,
        model: &mut M,
        obligation: &Obligation,
        links: &[Link],
        node: NodeId,
    ) -> bool {
        let from = &self.states[obligation.state];
        let linked = |state: &[u8]| {
            links.iter().any(|link| {
                let to = &self.obligations[link.to];
                let right = (to.node, to.holds) == (node, obligation.holds);
                right && link.step != Step::Here && *self.states[to.state] == *state
            })
        };
        let (mut terminal, mut all) = (true, true);
        model.successors(from, &mut |_, state| {
            terminal = false;
            all &= linked(state);
        });
        if terminal { linked(from) } else { all }
    }

    /// The one run that shows the verdict, where it needs no more than a run; otherwise the path up to where
    /// it needs several.
    pub fn unfold(&self) -> Result<Run, Path> {
        let [root] = self.roots[..] else {
            return Err(Path::default());
        };
        let mut front = vec![root];
        let mut history: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut choices: Vec<Option<Choice>> = Vec::new();
        let states = |history: &[Vec<usize>]| -> Vec<Box<[u8]>> {
            let state = |front: &Vec<usize>| self.states[self.obligations[front[0]].state].clone();
            history.iter().map(state).collect()
        };
        loop {
            if let Some(&loop_start) = places.get(&front) {
                history.push(front);
                return Ok(Run::Infinite(LassoPath::fold(
                    states(&history),
                    choices,
                    loop_start,
                )));
            }
            let steps = self.steps_from(&front);
            places.insert(front.clone(), history.len());
            history.push(front);
            let finite = || {
                let end = choices.iter().position(Option::is_none).unwrap_or(choices.len());
                let mut states = states(&history);
                states.truncate(end + 1);
                let choices = choices[..end].iter().copied().flatten().collect();
                Path { states, choices }
            };
            let Some(first) = steps.first() else {
                return Ok(Run::Finite(finite()));
            };
            let state = self.obligations[first.to].state;
            if steps.iter().any(|link| self.obligations[link.to].state != state) {
                return Err(finite());
            }
            choices.push(match first.step {
                Step::By(choice) => Some(choice),
                Step::Here | Step::Stays => None,
            });
            front = steps.iter().map(|link| link.to).collect();
            front.sort_unstable();
            front.dedup();
        }
    }

    /// The links to other states of some obligations and of those in the same state that they rest on.
    fn steps_from(&self, front: &[usize]) -> Vec<Link> {
        let mut steps = Vec::new();
        let mut open = front.to_vec();
        while let Some(at) = open.pop() {
            let Justification::Links(links) = &self.obligations[at].justification else {
                continue;
            };
            for link in links {
                match link.step {
                    Step::Here => open.push(link.to),
                    Step::By(_) | Step::Stays => steps.push(*link),
                }
            }
        }
        steps
    }
}

/// Whether an obligation speaks of all runs or successors.
pub(crate) fn is_universal(formula: &CtlFormula, obligation: &Obligation) -> bool {
    match formula.nodes[obligation.node] {
        CtlNode::ExistsNext(_) | CtlNode::ExistsUntil(..) => !obligation.holds,
        CtlNode::AllUntil(..) => obligation.holds,
        _ => false,
    }
}
