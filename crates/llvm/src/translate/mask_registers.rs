//! Inline assembly that reads and writes the registers by which a Cortex-M masks interrupts.
//!
//! Idea: `msr basepri, %0` and the like are calls of functions that do nothing until handlers are put into
//! the program. What else stands in the same `asm` has to be known, too.
//!
//! Source: Arm v7-M architecture reference manual, B5.2.2 (MRS) and B5.2.3 (MSR).

use kripke_elts::interrupts::{
    AssemblyEffect, RAISES_BASE, READS_BASE, READS_MASK, SETS_BASE, SETS_MASK, effects_of_assembly,
    instructions_of_assembly, is_arm,
};
use kripke_elts::{Expr, Type as Scalar};

use crate::ir;

use super::Step;
use super::function::FunctionTranslator;

/// What one instruction does.
enum Part {
    /// The marker is called with the operand.
    Writes(&'static str, usize),
    /// The operand becomes what the marker returns.
    Reads(&'static str, usize),
    /// Anything that is known elsewhere.
    Other(AssemblyEffect),
}

impl<'m> FunctionTranslator<'_, 'm> {
    /// The results of assembly that accesses these registers; none where it is something else.
    pub fn mask_registers(
        &mut self,
        (template, constraints): (&str, &str),
        call: &'m ir::Call,
    ) -> Step<Option<Vec<Expr>>> {
        let triple = &self.unit.data_model.triple;
        if !is_arm(triple) || self.has_model_of_kernel() {
            return Ok(None);
        }
        let instructions = instructions_of_assembly(template, triple).unwrap_or_default();
        let parts = instructions
            .iter()
            .map(|instruction| part_of(instruction, triple));
        let Some(parts) = parts.collect::<Option<Vec<Part>>>() else {
            return Ok(None);
        };
        let all = constraints
            .split(',')
            .filter(|constraint| !constraint.starts_with('~'));
        let (outputs, inputs): (Vec<&str>, Vec<&str>) =
            all.partition(|constraint| constraint.starts_with('='));
        let is_plain = { outputs.iter().all(|output| *output == "=r" || *output == "=&r") }
            && inputs.iter().all(|input| *input == "r");
        let fits = |part: &Part| match part {
            Part::Writes(_, operand) => (outputs.len()..outputs.len() + inputs.len()).contains(operand),
            Part::Reads(_, operand) => *operand == 0 && outputs.len() == 1,
            Part::Other(_) => true,
        };
        let reads = parts
            .iter()
            .filter(|part| matches!(part, Part::Reads(..)))
            .count();
        let leaves = self.types.leaves(&call.result)?;
        let results: Vec<Scalar> = leaves.iter().map(|leaf| leaf.ty).collect();
        let are_numbers = results.iter().all(|ty| matches!(ty, Scalar::Int(_)));
        if !is_plain
            || !parts.iter().all(fits)
            || reads != outputs.len()
            || results.len() != reads
            || !are_numbers
        {
            return Ok(None);
        }
        let mut read = Vec::new();
        for part in parts {
            match part {
                Part::Writes(marker, operand) => {
                    let Some(argument) = call.arguments.get(operand - outputs.len()) else {
                        return Ok(None);
                    };
                    let types = self.types.leaves(&argument.ty)?;
                    let types: Vec<Scalar> = types.iter().map(|leaf| leaf.ty).collect();
                    let values = self.value(&argument.ty, &argument.value)?;
                    let arguments = types.into_iter().zip(values).collect();
                    self.note_interrupts(marker, arguments, &[]);
                }
                Part::Reads(marker, _) => read = self.note_interrupts(marker, Vec::new(), &results),
                Part::Other(effect) => self.note_effect(effect),
            }
        }
        Ok(Some(read))
    }
}

fn part_of(instruction: &str, triple: &str) -> Option<Part> {
    let lower = instruction.to_ascii_lowercase();
    let mut words = lower.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let operand = |word: &str| word.strip_prefix('$')?.parse::<usize>().ok();
    let words = (words.next()?, words.next(), words.next(), words.next());
    match words {
        ("msr", Some(register), Some(from), None) => {
            let marker = match register {
                "primask" => SETS_MASK,
                "basepri" => SETS_BASE,
                "basepri_max" => RAISES_BASE,
                _ => return None,
            };
            Some(Part::Writes(marker, operand(from)?))
        }
        ("mrs", Some(to), Some(register), None) => {
            let marker = match register {
                "primask" => READS_MASK,
                "basepri" | "basepri_max" => READS_BASE,
                _ => return None,
            };
            Some(Part::Reads(marker, operand(to)?))
        }
        _ => match effects_of_assembly(instruction, triple)?[..] {
            [effect] => Some(Part::Other(effect)),
            _ => None,
        },
    }
}
