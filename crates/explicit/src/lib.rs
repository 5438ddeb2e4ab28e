//! Explicit-state checkers over the model traits. They know nothing of AVR or C.
//!
//! A model hands out states as bytes ([`kripke_model::KripkeStructure`]); every checker here works on
//! any model: invariants by search, CTL with all states ([`check_ctl_global`]) or on the fly
//! ([`check_ctl_local`]), LTL on the fly ([`check_ltl`]). [`explain_ctl`] gives the reason
//! for a CTL verdict, which [`CtlEvidence::verify`] checks independently.

mod ctl;
mod ctl_global;
mod ctl_local;
mod disk;
mod evidence;
mod evidence_dot;
mod explain;
mod hash_search;
mod invariant;
mod journal;
mod lasso;
mod limits;
mod ltl;
mod pair_table;
mod parents;
mod pieces;
mod plain_store;
mod product;
mod proposition;
mod shorten;
mod state_graph;
mod state_index;
mod state_store;
mod successors;
mod tree_store;
mod workers;

pub use ctl::{CtlFormula, NotCtl};
pub use ctl_global::{GlobalResult, check_ctl_global};
pub use ctl_local::{LocalResult, check_ctl_local};
pub use evidence::{BadEvidence, CtlEvidence, Detail, Justification, Link, Obligation, Run, Step};
pub use evidence_dot::Captions;
pub use explain::explain_ctl;
pub use invariant::{
    Exploration, InvariantResult, Order, Path, Survey, check_invariant, survey_invariants,
    survey_invariants_depth_first,
};
pub use kripke_limits::{Account, Checkpoint, Limits, Store};
pub use lasso::LassoPath;
pub use limits::Stopped;
pub use ltl::{LtlFormula, LtlResult, check_ltl};
pub use proposition::Proposition;
pub use state_graph::StateGraph;
pub use state_store::{StateId, StateStore};
