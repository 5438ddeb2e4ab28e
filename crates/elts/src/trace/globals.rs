//! What the user's globals hold, by their C expressions.

use kripke_model::TraceValue;

use crate::interpreter::View;
use crate::program::HIDDEN_MEMORY;

use super::{TraceBuilder, c_type};

/// How many parts of one global are told.
const PARTS: usize = 256;

impl TraceBuilder<'_> {
    /// Each scalar in the globals that the user's sources declare, where all its bytes are written.
    pub fn globals(&self, view: &View<'_>) -> Vec<(String, TraceValue)> {
        let mut told = Vec::new();
        for (id, global) in self.program.globals.enumerate() {
            let (Some(name), Some(type_of)) = (&global.c_name, global.c_type) else {
                continue;
            };
            let is_users = global.position.line > 0 && !self.program.is_library(global.position);
            if !is_users || global.name.starts_with(HIDDEN_MEMORY) {
                continue;
            }
            let start = view.global(id);
            for (offset, path, leaf) in c_type::leaves(self.program, type_of, 0, global.size, PARTS) {
                let mut at = start;
                at.offset = offset;
                if let Some(value) = self.scalar_type(leaf).and_then(|ty| view.read(at, ty)) {
                    told.push((format!("{name}{path}"), self.show(view, &value, Some(leaf))));
                }
            }
        }
        told
    }
}
