//! The states at reset.

use kripke_model::Visit;

use super::Micro;

/// Unknown bits of observed memory that get their values at reset, at the most.
const MOST_BITS_AT_RESET: u32 = 16;

impl Micro {
    /// Hands out the states at reset, until no more is wanted.
    pub(crate) fn visit_states_at_reset<V: Visit>(&mut self, visit: &mut impl FnMut(&[u8]) -> V) {
        let mut state = vec![0; self.footprint.size()];
        self.footprint.reset(&mut state);
        let compute = |micro: &mut Self| {
            micro.begin(&state);
            micro.draft.pc = micro.chip.loaded.reset;
            micro.draft.io_changed = true;
            if micro.options.decide_at_reset {
                micro.decide_at_reset();
            }
            micro.finish();
        };
        self.visit_all(compute, |micro| visit(&micro.draft.state));
    }

    /// Decides at reset what memory holds that atoms name, if that is not too much.
    fn decide_at_reset(&mut self) {
        let open = self.prefix.unwritten.clone();
        let open = open.unwrap_or_else(|| self.observed_memory());
        let bits: u32 = open
            .iter()
            .map(|cell| self.footprint.at_reset(*cell).unknown.count_ones())
            .sum();
        if bits > MOST_BITS_AT_RESET {
            return;
        }
        let late = self.caveats.decided_late;
        for cell in open {
            self.resolve(cell, 0xFF);
        }
        self.caveats.decided_late = late;
    }
}
