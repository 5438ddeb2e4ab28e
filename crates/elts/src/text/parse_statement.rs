//! Reads statements.

use kripke_value::MathFunction;

use crate::ids::VariableId;
use crate::program::{AccessChecks, Callee, Expr, NondetSource, Statement, StatementKind};
use crate::text::lexer::Token;
use crate::text::operators::{OUTPUTS, STOPS, named};
use crate::text::parse::{Parsed, Parser};

impl Parser {
    pub fn statement(&mut self) -> Parsed<Statement> {
        let kind = self.statement_kind()?;
        Ok(Statement {
            kind,
            position: self.position()?,
        })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        match self.peek().clone() {
            Token::Symbol("*") => self.store(),
            Token::Symbol("(") => {
                self.next();
                let results = self.list(Self::variable)?;
                self.expect("=")?;
                if !self.accept_word("call") {
                    return self.error("expected `call`: only a call has several results");
                }
                self.call(results)
            }
            Token::Word(word) if *self.peek_second() != Token::Symbol("=") => self.command(&word),
            _ => {
                let target = self.variable()?;
                self.expect("=")?;
                self.value(target)
            }
        }
    }

    fn store(&mut self) -> Parsed<StatementKind> {
        self.expect("*")?;
        let ty = self.ty()?;
        let address = self.single()?;
        self.expect("=")?;
        let value = self.expr()?;
        let (align, volatile) = self.access()?;
        Ok(StatementKind::Store {
            address,
            value,
            ty,
            align,
            volatile,
            checks: self.checks()?,
        })
    }

    /// `(expression)`
    fn single(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let expr = self.expr()?;
        self.expect(")")?;
        Ok(expr)
    }

    fn access(&mut self) -> Parsed<(u32, bool)> {
        if !self.accept_word("align") {
            return self.error("expected `align`");
        }
        Ok((self.number()?, self.accept_word("volatile")))
    }

    fn checks(&mut self) -> Parsed<AccessChecks> {
        Ok(AccessChecks {
            pointer: self.check("pointer")?,
            uninitialised: self.check("uninitialised")?,
        })
    }

    fn check(&mut self, word: &str) -> Parsed<Option<crate::PropertyId>> {
        if self.accept_word(word) {
            self.property_id().map(Some)
        } else {
            Ok(None)
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        self.list(Self::expr)
    }

    fn call(&mut self, results: Vec<VariableId>) -> Parsed<StatementKind> {
        let callee = match self.accept("*") {
            true => Callee::Indirect(self.single()?),
            false => Callee::Direct(self.function_name()?),
        };
        let arguments = self.arguments()?;
        Ok(StatementKind::Call {
            results,
            callee,
            arguments,
            check: self.check("check")?,
        })
    }

    /// A statement that begins with a word of its own.
    fn command(&mut self, word: &str) -> Parsed<StatementKind> {
        self.next();
        Ok(match word {
            "call" => self.call(Vec::new())?,
            "end" => StatementKind::EndObject {
                pointer: self.single()?,
            },
            "free" => StatementKind::Free {
                pointer: self.single()?,
                check: self.check("check")?,
            },
            "memcpy" | "memmove" => {
                let [target, source, length] = self.three()?;
                let overlap = word == "memmove";
                StatementKind::CopyMemory {
                    target,
                    source,
                    length,
                    overlap,
                    checks: self.checks()?,
                }
            }
            "memset" => {
                let [target, value, length] = self.three()?;
                StatementKind::SetMemory {
                    target,
                    value,
                    length,
                    checks: self.checks()?,
                }
            }
            "assume" => StatementKind::Assume {
                condition: self.single()?,
            },
            "assert" => StatementKind::Assert {
                condition: self.single()?,
                property: self.property_id()?,
            },
            "set_rounding" => StatementKind::SetRounding { mode: self.single()? },
            "output" => self.output(None)?,
            "stop" => {
                let word = self.word("`exit` or `abort`")?;
                let Some(reason) = named(STOPS, &word) else {
                    return self
                        .error_before(format!("`{word}` is no reason to stop: `exit` and `abort` are"));
                };
                let has_status = *self.peek() == Token::Symbol("(");
                StatementKind::Stop {
                    reason,
                    status: if has_status { Some(self.single()?) } else { None },
                }
            }
            "unsupported" => StatementKind::Unsupported { what: self.text()? },
            "note" => StatementKind::Note {
                variable: self.variable()?,
            },
            _ => return self.error_before(format!("`{word}` begins no statement")),
        })
    }

    fn three(&mut self) -> Parsed<[Expr; 3]> {
        self.arguments()?
            .try_into()
            .or_else(|_| self.error_before("expected three operands"))
    }

    /// What stands behind `target =`.
    fn value(&mut self, target: VariableId) -> Parsed<StatementKind> {
        if *self.peek() == Token::Symbol("*") {
            return self.load(target);
        }
        let Token::Word(word) = self.peek().clone() else {
            return Ok(StatementKind::Assign {
                target,
                value: self.expr()?,
            });
        };
        Ok(match word.as_str() {
            "stack" => {
                self.next();
                StatementKind::StackObject {
                    target,
                    size: self.single()?,
                    site: self.site_id()?,
                }
            }
            "heap" => {
                self.next();
                let size = self.single()?;
                let zeroed = self.accept_word("zeroed");
                StatementKind::HeapObject {
                    target,
                    size,
                    zeroed,
                    site: self.site_id()?,
                }
            }
            "call" => {
                self.next();
                self.call(vec![target])?
            }
            "nondet" => {
                self.next();
                StatementKind::Nondet {
                    target,
                    source: self.source()?,
                }
            }
            "math" => {
                self.next();
                let name = self.word("a function of <math.h>")?;
                let Some(function) = MathFunction::from_name(&name) else {
                    return self.error(format!("no function of <math.h> is called `{name}`"));
                };
                StatementKind::Math {
                    target,
                    function,
                    arguments: self.arguments()?,
                }
            }
            "get_rounding" => {
                self.next();
                self.expect("(")?;
                self.expect(")")?;
                StatementKind::GetRounding { target }
            }
            "output" => {
                self.next();
                self.output(Some(target))?
            }
            _ => StatementKind::Assign {
                target,
                value: self.expr()?,
            },
        })
    }

    fn load(&mut self, target: VariableId) -> Parsed<StatementKind> {
        self.expect("*")?;
        let ty = self.ty()?;
        let expected = self.variables[target].ty;
        if ty != expected {
            return self.error_before(format!("a load into a variable of another type, {expected:?}"));
        }
        let address = self.single()?;
        let (align, volatile) = self.access()?;
        Ok(StatementKind::Load {
            target,
            address,
            align,
            volatile,
            checks: self.checks()?,
        })
    }

    fn source(&mut self) -> Parsed<NondetSource> {
        let word = self.word("a source of nondeterminism")?;
        Ok(match word.as_str() {
            "input" => NondetSource::Input(self.text()?),
            "external" => NondetSource::External(self.text()?),
            "library" => NondetSource::Library(self.text()?),
            "device" => NondetSource::Device(self.text()?),
            "uninitialised" => NondetSource::Uninitialised,
            _ => return self.error_before(format!("`{word}` is no source of nondeterminism")),
        })
    }

    fn output(&mut self, target: Option<VariableId>) -> Parsed<StatementKind> {
        let word = self.word("an output function")?;
        let Some(function) = named(OUTPUTS, &word) else {
            return self.error_before(format!("`{word}` is no output function"));
        };
        let arguments = self.arguments()?;
        if !self.accept_word("as") {
            return self.error("expected `as` and the types of the arguments");
        }
        self.expect("(")?;
        let argument_types = self.list(Self::ty)?;
        Ok(StatementKind::Output {
            target,
            function,
            arguments,
            argument_types,
        })
    }
}
