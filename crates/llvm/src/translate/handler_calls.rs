//! Calls of what is not safe in handlers of interrupts, marked for the part that knows which code runs there.

use kripke_elts::handler_calls::{NOT_IN_HANDLERS, Reason, unsafe_in_handlers};
use kripke_model::PropertyKind;

use super::function::FunctionTranslator;

impl FunctionTranslator<'_, '_> {
    /// Calls a function that does nothing before a function is called that handlers must not call. A function
    /// of the program itself is no longer that of the C library; what its body calls is looked at. Models of
    /// the library count where the program calls them.
    pub fn note_unsafe_call(&mut self, name: &str) {
        let is_asked = self.unit.options.interrupt_functions.is_some()
            && self.unit.checks(PropertyKind::HandlerCall)
            && !self.unit.modules[self.module].is_library_model;
        let Some(reason) = unsafe_in_handlers(name).filter(|_| is_asked) else {
            return;
        };
        if reason == Reason::Kernel || !self.has_user_body(name) {
            self.note_interrupts(&format!("{NOT_IN_HANDLERS}{name}"), Vec::new(), &[]);
        }
    }
}
