//! Heap objects, and those for which no target has room.
//!
//! Idea: an allocation of a constant size above [`kripke_elts::DataModel::largest_allocation`] fails, as it
//! does on every machine. Where the size is not constant such an allocation is assumed not to happen, as any
//! other is assumed to succeed: else every allocation of unknown size would be one that fails.
//!
//! Invariant: what is assumed stands with the verdict; the interpreter has the same largest size.

use kripke_elts::ObjectSiteId;
use kripke_smt::TermId;

use crate::engine::Engine;
use crate::object::{ObjectKind, Rest};
use crate::range::Ranges;
use crate::state::State;
use crate::value::{Pointer, Target};

impl Engine<'_> {
    /// A pointer to a new heap object; `None` when no path goes on.
    pub(crate) fn allocate(
        &mut self,
        state: &mut State,
        site: ObjectSiteId,
        size: TermId,
        rest: Rest,
    ) -> Option<Pointer> {
        let largest = self.program.data_model.largest_allocation();
        if self.constant(size).is_some_and(|size| size > largest) {
            let zero = self.terms.bv_u64(self.pointer_width, 0);
            return Some(Pointer::new(&mut self.terms, Target::Null, zero));
        }
        let facts = self.facts(state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(size);
        if interval.low < 0 || interval.high > i128::from(largest) {
            let most = self.terms.bv_u64(self.pointer_width, largest);
            let fits = self.terms.bv_ule(size, most);
            let assumption =
                format!("no allocation takes more than {largest} bytes, for which there is no room");
            self.run.record.assumptions.insert(assumption);
            if !self.assume(state, fits) {
                return None;
            }
        }
        let align = self.site_align(site);
        self.create_object(state, ObjectKind::Heap(site), size, align, rest)
    }
}
