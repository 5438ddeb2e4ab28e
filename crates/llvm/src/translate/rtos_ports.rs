//! What ports of FreeRTOS write in assembly.
//!
//! Idea: the headers of a port say with instructions what the models say with functions: that no other task
//! runs for a while. Where the kernel is modelled, the model's function is called in their place.
//!
//! Source: the headers `portmacro.h` of the kernel's ports for Cortex-M and for AVR.

use kripke_elts::interrupts::{AssemblyEffect, instructions_of_assembly};

use crate::ir::Type;

use super::Step;
use super::calls::CallSite;
use super::function::FunctionTranslator;

/// The functions of ports that have a body of assembly, and what they do.
const FUNCTIONS: &[(&str, &str)] = &[
    ("vPortRaiseBASEPRI", "vPortDisableInterrupts"),
    ("ulPortRaiseBASEPRI", "xPortSetInterruptMask"),
    ("vPortSetBASEPRI", "__kripke_port_set_mask"),
    ("xPortIsInsideInterrupt", "__kripke_port_is_inside_interrupt"),
];

/// How a critical section begins and ends on an AVR, instruction by instruction.
const INSTRUCTIONS: &[(&str, Option<&str>)] = &[
    ("in__tmp_reg__,__SREG__", None),
    ("cli", Some("vPortDisableInterrupts")),
    ("push__tmp_reg__", Some("vPortEnterCritical")),
    ("pop__tmp_reg__", Some("vPortExitCritical")),
    ("out__SREG__,__tmp_reg__", Some("__kripke_port_restore")),
];

impl FunctionTranslator<'_, '_> {
    /// Is the kernel modelled?
    pub fn has_model_of_kernel(&self) -> bool {
        let create = self.unit.function_with_body(self.module, "xTaskCreate");
        create.is_some_and(|(module, _)| self.unit.modules[module].is_library_model)
    }

    /// The model's function in place of one of a port.
    pub fn function_of_port(&self, name: &str) -> Option<(usize, usize)> {
        let (_, own) = FUNCTIONS.iter().find(|(port, _)| *port == name)?;
        if !self.has_model_of_kernel() {
            return None;
        }
        self.unit.function_with_body(self.module, own)
    }

    /// Translates assembly that begins or ends a critical section; false where it is something else.
    pub fn assembly_of_port(&mut self, template: &str) -> Step<bool> {
        if !self.unit.data_model.triple.starts_with("avr") || !self.has_model_of_kernel() {
            return Ok(false);
        }
        let instructions = instructions_of_assembly(template, &self.unit.data_model.triple);
        let known = instructions.unwrap_or_default().into_iter().map(|instruction| {
            let instruction: String = instruction.split_whitespace().collect();
            INSTRUCTIONS.iter().find(|(known, _)| *known == instruction)
        });
        let Some(known) = known.collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        for (_, function) in known.iter().copied() {
            if let Some(function) = function {
                self.call_of_port(function)?;
            }
        }
        Ok(!known.is_empty())
    }

    /// An instruction that enables or disables interrupts: other tasks run, or do not.
    pub fn effect_of_port(&mut self, effect: AssemblyEffect) -> Step<()> {
        match effect {
            _ if !self.has_model_of_kernel() => Ok(()),
            AssemblyEffect::Enables => self.call_of_port("vPortEnableInterrupts"),
            AssemblyEffect::Disables => self.call_of_port("vPortDisableInterrupts"),
            AssemblyEffect::Waits | AssemblyEffect::Nothing => Ok(()),
        }
    }

    fn call_of_port(&mut self, name: &str) -> Step<()> {
        let Some((module, index)) = self.unit.function_with_body(self.module, name) else {
            return super::unsupported(format!("`{name}`, which the model of FreeRTOS lacks"));
        };
        let site = CallSite {
            name,
            result: &Type::Void,
            operands: &[],
            values: Vec::new(),
        };
        self.direct_call(module, index, &site).map(drop)
    }
}
