//! Reads expressions.

use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

use crate::program::{Expr, Type, UnaryOp};
use crate::text::lexer::Token;
use crate::text::operators::{
    BINARY_FUNCTIONS, CASTS, CONCAT, INFIX, POINTER_ADD, UNARY_FUNCTIONS, named, type_named,
};
use crate::text::parse::{Parsed, Parser};

/// How deep expressions may nest: a limit that keeps hostile texts from exhausting the stack.
const MAX_DEPTH: usize = 2000;

impl Parser {
    pub fn expr(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error(format!("an expression nested more than {MAX_DEPTH} deep"));
        }
        let left = self.operand()?;
        let result = self.rest_of_expr(left);
        self.depth -= 1;
        result
    }

    fn rest_of_expr(&mut self, left: Expr) -> Parsed<Expr> {
        let Token::Symbol(symbol) = *self.peek() else {
            return Ok(left);
        };
        let expr = if symbol == "?" {
            self.next();
            let then = self.operand()?;
            self.expect(":")?;
            Expr::Select(Box::new(left), Box::new(then), Box::new(self.operand()?))
        } else if symbol == POINTER_ADD {
            self.next();
            Expr::PointerAdd(Box::new(left), Box::new(self.operand()?))
        } else if symbol == CONCAT {
            self.next();
            Expr::Concat(Box::new(left), Box::new(self.operand()?))
        } else if let Some(op) = named(INFIX, symbol) {
            self.next();
            Expr::Binary(op, Box::new(left), Box::new(self.operand()?))
        } else {
            return Ok(left);
        };
        match self.peek() {
            Token::Symbol(symbol)
                if *symbol == "?" || *symbol == POINTER_ADD || named(INFIX, symbol).is_some() =>
            {
                self.error("operators have no precedence: put the part before this one in parentheses")
            }
            _ => Ok(expr),
        }
    }

    /// An operand with the bit ranges taken of it.
    fn operand(&mut self) -> Parsed<Expr> {
        let mut operand = self.primary()?;
        while self.accept("[") {
            let high = self.number()?;
            self.expect(":")?;
            let low = self.number()?;
            self.expect("]")?;
            operand = Expr::Extract {
                high,
                low,
                value: Box::new(operand),
            };
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        match self.peek().clone() {
            Token::Number(number) => {
                let literal = literal(&number);
                match literal {
                    Some(literal) => {
                        self.next();
                        Ok(literal)
                    }
                    None => self.error(format!(
                        "`{number}` is no literal; literals are `5i32`, `0.5f64` and the like"
                    )),
                }
            }
            Token::Symbol("(") => {
                self.next();
                let expr = self.expr()?;
                self.expect(")")?;
                Ok(expr)
            }
            Token::Symbol("!" | "~") => self.prefix(UnaryOp::Not),
            Token::Symbol("-") => self.prefix(UnaryOp::Neg),
            Token::Symbol("-.") => self.prefix(UnaryOp::FNeg),
            Token::Symbol("&") => {
                self.next();
                Ok(Expr::GlobalAddress(self.global_name()?))
            }
            Token::Word(word) => self.word_expr(&word),
            Token::Quoted(_) | Token::Symbol("#") => Ok(Expr::Variable(self.variable()?)),
            _ => self.error("expected an expression"),
        }
    }

    fn prefix(&mut self, op: UnaryOp) -> Parsed<Expr> {
        self.next();
        let operand = match self.peek() {
            Token::Symbol("(") => {
                self.next();
                let operand = self.expr()?;
                self.expect(")")?;
                operand
            }
            _ => Expr::Variable(self.variable()?),
        };
        Ok(Expr::Unary(op, Box::new(operand)))
    }

    /// A literal, a function-like operator or a variable.
    fn word_expr(&mut self, word: &str) -> Parsed<Expr> {
        match word {
            "true" | "false" => {
                self.next();
                return Ok(Expr::Int(BitVec::from_bool(word == "true")));
            }
            "null" => {
                self.next();
                return Ok(Expr::Null);
            }
            "function" => {
                self.next();
                self.expect("(")?;
                let function = self.function_name()?;
                self.expect(")")?;
                return Ok(Expr::FunctionAddress(function));
            }
            _ => {}
        }
        if let Some(Type::Float(format)) = type_named(word) {
            return self.float_bits(format);
        }
        if let Some(op) = named(CASTS, word) {
            self.next();
            self.expect("<")?;
            let ty = self.ty()?;
            self.expect(">")?;
            let [operand] = self.operands(word)?;
            return Ok(Expr::Cast(op, operand, ty));
        }
        self.application(word)
    }

    fn application(&mut self, word: &str) -> Parsed<Expr> {
        if let Some(op) = named(UNARY_FUNCTIONS, word) {
            self.next();
            let [operand] = self.operands(word)?;
            return Ok(Expr::Unary(op, operand));
        }
        if let Some(op) = named(BINARY_FUNCTIONS, word) {
            self.next();
            let [left, right] = self.operands(word)?;
            return Ok(Expr::Binary(op, left, right));
        }
        match word {
            "fma" => {
                self.next();
                let [a, b, c] = self.operands(word)?;
                Ok(Expr::Fma(a, b, c))
            }
            "object_size" => {
                self.next();
                let [operand] = self.operands(word)?;
                Ok(Expr::ObjectSize(operand))
            }
            "pointer_offset" => {
                self.next();
                let [operand] = self.operands(word)?;
                Ok(Expr::PointerOffset(operand))
            }
            "same_object" => {
                self.next();
                let [left, right] = self.operands(word)?;
                Ok(Expr::SameObject(left, right))
            }
            _ => Ok(Expr::Variable(self.variable()?)),
        }
    }

    /// `(a, b)`: as many operands as the operator takes.
    fn operands<const N: usize>(&mut self, word: &str) -> Parsed<[Box<Expr>; N]> {
        self.expect("(")?;
        let operands = self.list(|parser| Ok(Box::new(parser.expr()?)))?;
        operands
            .try_into()
            .or_else(|_| self.error_before(format!("`{word}` takes {N} operands")))
    }

    /// `f32:0x7fc00001`
    fn float_bits(&mut self, format: FloatFormat) -> Parsed<Expr> {
        self.next();
        self.expect(":")?;
        let bits = match self.peek() {
            Token::Number(number) => number
                .strip_prefix("0x")
                .and_then(|digits| u128::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        match bits.filter(|bits| format.bits() == 128 || bits >> format.bits() == 0) {
            Some(bits) => {
                self.next();
                Ok(Expr::Float(Float::from_bits(
                    format,
                    &BitVec::new(format.bits(), bits),
                )))
            }
            None => self.error(format!("expected {} bits in hexadecimal", format.bits())),
        }
    }
}

/// `5i32`, `-1i8`, `0.5f64`.
fn literal(number: &str) -> Option<Expr> {
    let at = number.rfind(['i', 'f'])?;
    let (digits, suffix) = number.split_at(at);
    match type_named(suffix)? {
        Type::Int(width) => Some(Expr::Int(BitVec::parse(width, digits, 10)?)),
        Type::Float(format) => Some(Expr::Float(Float::parse(
            digits,
            format,
            RoundingMode::NearestEven,
        )?)),
        Type::Pointer => None,
    }
}
