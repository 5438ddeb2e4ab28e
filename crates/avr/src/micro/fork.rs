//! The microcontroller for several threads.
//!
//! Idea: the chip and the options never change, so forks share them; each makes notes of its own, and the
//! search sees to it that the one that they come from makes them, too.
//!
//! Invariant: a fork gives the same answers as the one it comes from. A program that changes its flash has no
//! forks, as the contents of flash are numbered in the order in which they are met; nor has an exploration
//! that samples states, since the sample would depend on who has expanded which. A fork whose footprint is
//! outgrown does not end the search: the one that it comes from will, where it does the same step.

use std::sync::Arc;

use super::Micro;
use crate::instruction::Operation as Op;

impl Micro {
    /// Another one of the same exploration, with its notes so far.
    pub(crate) fn forked(&self) -> Option<Self> {
        let [flash] = &self.flash[..] else { return None };
        let programs = flash
            .program
            .iter()
            .any(|instruction| instruction.operation == Op::Spm);
        if programs || self.variety.is_some() || self.tracer.is_some() {
            return None;
        }
        Some(Self {
            chip: Arc::clone(&self.chip),
            options: self.options.clone(),
            footprint: self.footprint.clone(),
            flash: self.flash.clone(),
            labelling: self.labelling.clone(),
            tearing: self.tearing.clone(),
            prefix: self.prefix.without_states(),
            held_inputs: self.held_inputs.clone(),
            limits: self.limits.clone(),
            interrupt: Arc::default(),
            variety: None,
            tried: Default::default(),
            caveats: self.caveats.clone(),
            widths: Default::default(),
            draft: Default::default(),
            choices: Default::default(),
            tracer: None,
            independence: self.independence.forked(),
            following: Default::default(),
            unforeseen: self.unforeseen.clone(),
        })
    }
}
