//! `printf` and its family: what a program prints.
//!
//! Idea: text for the standard streams is a statement of its own, which the interpreter prints and a
//! counterexample shows. A stream that is not certainly standard output or standard error is a file:
//! what goes there is lost, and the result is unknown. What is printed is read first, by models.

use kripke_elts::{Expr, NondetSource, OutputFunction, StatementKind, Type as Scalar};

use crate::ir::{Constant, InstructionKind, Value};

use super::Step;
use super::calls::CallSite;
use super::expressions::{int, resize};
use super::function::FunctionTranslator;

impl FunctionTranslator<'_, '_> {
    /// The results of an output function; none for other functions.
    pub fn output_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        let (function, first) = match site.name {
            "printf" | "__printf_chk" | "iprintf" => {
                (OutputFunction::Printf, usize::from(site.name == "__printf_chk"))
            }
            "puts" | "puts_unlocked" => (OutputFunction::Puts, 0),
            "putchar" | "putchar_unlocked" => (OutputFunction::Putchar, 0),
            "fprintf" | "fiprintf" => (OutputFunction::Printf, 1),
            _ => return Ok(None),
        };
        let to_file = first == 1 && site.name.starts_with('f') && !self.is_standard_stream(site);
        if to_file {
            self.read_stream(site, 0)?;
        }
        let walked = match function {
            _ if self.in_library => None,
            OutputFunction::Printf => self.read_formatted(site, first)?,
            OutputFunction::Puts => {
                let to_its_end = int(self.unit.data_model.int_width, -1);
                self.read_text(site, 0, to_its_end, false)?;
                None
            }
            OutputFunction::Putchar => None,
        };
        if to_file {
            let source = NondetSource::Library(site.name.to_owned());
            return match walked {
                Some(results) => Ok(Some(results)),
                None => Ok(Some(self.nondet_results(site, &source)?)),
            };
        }
        let mut arguments = Vec::new();
        let mut argument_types = Vec::new();
        for (operand, values) in site.operands.iter().zip(&site.values).skip(first) {
            for (leaf, value) in self.types.leaves(&operand.ty)?.into_iter().zip(values) {
                argument_types.push(leaf.ty);
                arguments.push(value.clone());
            }
        }
        let int_width = self.unit.data_model.int_width;
        let target = self.builder.temporary("printed", Scalar::Int(int_width));
        self.builder.emit(StatementKind::Output {
            target: walked.is_none().then_some(target),
            function,
            arguments,
            argument_types,
        });
        if walked.is_some() {
            return Ok(walked);
        }
        Ok(Some(match self.types.scalar(site.result) {
            Some(Scalar::Int(width)) => vec![resize(Expr::Variable(target), int_width, width, true)],
            _ => self.zero_results(site.result)?,
        }))
    }

    /// True when the first argument is read straight from `stdout` or `stderr`.
    fn is_standard_stream(&self, site: &CallSite<'_>) -> bool {
        let Some(Value::Local(name)) = site.operands.first().map(|operand| &operand.value) else {
            return false;
        };
        match self.definitions.get(&**name).map(|definition| &definition.kind) {
            Some(InstructionKind::Load {
                pointer: Value::Constant(Constant::Global(global)),
                ..
            }) => {
                matches!(&**global, "stdout" | "stderr" | "__stdoutp" | "__stderrp")
            }
            _ => false,
        }
    }
}
