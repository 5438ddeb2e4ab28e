//! A language server: any editor that speaks the Language Server Protocol shows verdicts beside the code.
//!
//! Idea: a check is `kripke check`, as a process of its own, of the functions of a file or of a project; its
//! JSON report becomes diagnostics with the steps that lead to them, a verdict above each function, and what
//! a finding means where the pointer rests. What the server needs of the world (files, a check that runs)
//! comes from a [`Host`], so the crate neither reads files nor starts processes.
//!
//! Invariant: a message that is none of the protocol's ends the session with an error, and one that is wrong
//! is answered with one; what was found stays until the same is checked again.
//! Source: the specification of the Language Server Protocol, version 3.17.

mod position;
mod report;
mod session;

pub use session::{Check, Host, Running, Told, serve};
