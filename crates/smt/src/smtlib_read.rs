//! Reading a solver's answers: s-expressions and the values of models.

use kripke_value::{BitVec, RoundingMode};
use rustc_hash::FxHashMap;

use crate::op::Sort;
use crate::value::{ArrayValue, Value};

/// An s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sexp {
    /// A symbol (without its bars), a numeral, a literal, or a string (with its quotes).
    Atom(String),
    /// A list.
    List(Vec<Sexp>),
}

impl Sexp {
    fn atom(&self) -> Option<&str> {
        if let Sexp::Atom(text) = self {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn list(&self) -> Option<&[Sexp]> {
        if let Sexp::List(items) = self {
            Some(items)
        } else {
            None
        }
    }
}

/// Splits a stream of characters into s-expressions as they are completed.
#[derive(Default)]
pub(crate) struct Reader {
    open: Vec<Vec<Sexp>>,
    token: String,
    mode: Mode,
    done: std::collections::VecDeque<Sexp>,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Mode {
    #[default]
    Plain,
    Quoted,
    Text,
    Comment,
}

impl Reader {
    /// The next complete expression.
    pub(crate) fn next(&mut self) -> Option<Sexp> {
        self.done.pop_front()
    }

    /// Takes more text.
    pub(crate) fn feed(&mut self, text: &str) {
        for character in text.chars() {
            match (self.mode, character) {
                (Mode::Comment, '\n') => self.mode = Mode::Plain,
                (Mode::Comment, _) => {}
                (Mode::Quoted, '|') => {
                    self.mode = Mode::Plain;
                    let symbol = std::mem::take(&mut self.token);
                    self.emit(Sexp::Atom(symbol));
                }
                (Mode::Text, '"') => {
                    self.mode = Mode::Plain;
                    let text = format!("{}\"", std::mem::take(&mut self.token));
                    self.emit(Sexp::Atom(text));
                }
                (Mode::Quoted | Mode::Text, _) => self.token.push(character),
                (Mode::Plain, '(') => {
                    self.end_token();
                    self.open.push(Vec::new());
                }
                (Mode::Plain, ')') => {
                    self.end_token();
                    if let Some(items) = self.open.pop() {
                        self.emit(Sexp::List(items));
                    }
                }
                (Mode::Plain, '|') => self.mode = Mode::Quoted,
                (Mode::Plain, '"') => {
                    self.mode = Mode::Text;
                    self.token.push('"');
                }
                (Mode::Plain, ';') => {
                    self.end_token();
                    self.mode = Mode::Comment;
                }
                (Mode::Plain, space) if space.is_whitespace() => self.end_token(),
                (Mode::Plain, _) => self.token.push(character),
            }
        }
    }

    fn end_token(&mut self) {
        if !self.token.is_empty() {
            let token = std::mem::take(&mut self.token);
            self.emit(Sexp::Atom(token));
        }
    }

    fn emit(&mut self, expression: Sexp) {
        match self.open.last_mut() {
            Some(items) => items.push(expression),
            None => self.done.push_back(expression),
        }
    }
}

/// Reads a value of a sort (floats are read through their bits, never as floats).
pub(crate) fn read_value(expression: &Sexp, sort: Sort) -> Option<Value> {
    read_in(expression, sort, &FxHashMap::default())
}

fn read_in(expression: &Sexp, sort: Sort, bound: &FxHashMap<&str, Value>) -> Option<Value> {
    if let Some(value) = expression.atom().and_then(|name| bound.get(name)) {
        return Some(value.clone());
    }
    if let Some([Sexp::Atom(head), Sexp::List(bindings), body]) = expression.list()
        && head == "let"
    {
        let mut inner = bound.clone();
        for binding in bindings {
            let [Sexp::Atom(name), value] = binding.list()? else {
                return None;
            };
            inner.insert(name, read_in(value, guess_sort(value, sort), bound)?);
        }
        return read_in(body, sort, &inner);
    }
    match sort {
        Sort::Bool => match expression.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => read_bits(expression, width).map(Value::BitVec),
        Sort::RoundingMode => Some(Value::Rounding(match expression.atom()? {
            "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
            "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
            "RTP" | "roundTowardPositive" => RoundingMode::Upward,
            "RTN" | "roundTowardNegative" => RoundingMode::Downward,
            _ => return None,
        })),
        Sort::Array { index, element } => read_array(expression, index, element, bound).map(Value::Array),
        Sort::Float(_) => None,
    }
}

/// The sort of a bound value: literals are elements or indexes, anything else is the array.
fn guess_sort(value: &Sexp, whole: Sort) -> Sort {
    match value.atom() {
        Some(literal) if literal.starts_with("#x") => Sort::BitVec(4 * (literal.len() as u32 - 2)),
        Some(literal) if literal.starts_with("#b") => Sort::BitVec(literal.len() as u32 - 2),
        _ => whole,
    }
}

fn read_bits(expression: &Sexp, width: u32) -> Option<BitVec> {
    if let Some([Sexp::Atom(underscore), Sexp::Atom(value), Sexp::Atom(_)]) = expression.list() {
        return (underscore == "_").then(|| BitVec::parse(width, value.strip_prefix("bv")?, 10))?;
    }
    let literal = expression.atom()?;
    match literal.strip_prefix("#x") {
        Some(digits) => BitVec::parse(width, digits, 16),
        None => BitVec::parse(width, literal.strip_prefix("#b")?, 2),
    }
}

fn read_array(
    expression: &Sexp,
    index: u32,
    element: u32,
    bound: &FxHashMap<&str, Value>,
) -> Option<ArrayValue> {
    let mut writes = Vec::new();
    let mut rest = expression;
    loop {
        if let Some(Value::Array(base)) = rest.atom().and_then(|name| bound.get(name)) {
            return Some(with_writes(base.clone(), writes));
        }
        match rest.list()? {
            [Sexp::Atom(head), array, at, value] if head == "store" => {
                let at = read_in(at, Sort::BitVec(index), bound)?.as_bv()?.clone();
                let value = read_in(value, Sort::BitVec(element), bound)?.as_bv()?.clone();
                writes.push((at, value));
                rest = array;
            }
            [Sexp::List(head), value] if head.get(1).and_then(Sexp::atom) == Some("const") => {
                let default = read_in(value, Sort::BitVec(element), bound)?.as_bv()?.clone();
                return Some(with_writes(ArrayValue::constant(index, default), writes));
            }
            [Sexp::Atom(head), ..] if head == "let" => {
                let sort = Sort::Array { index, element };
                let Value::Array(base) = read_in(rest, sort, bound)? else {
                    return None;
                };
                return Some(with_writes(base, writes));
            }
            _ => return None,
        }
    }
}

/// Applies writes, the outermost (first) last.
fn with_writes(base: ArrayValue, writes: Vec<(BitVec, BitVec)>) -> ArrayValue {
    writes
        .into_iter()
        .rev()
        .fold(base, |array, (at, value)| array.with(at, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, sort: Sort, expected: Option<Value>) {
        let mut reader = Reader::default();
        for piece in text.split_inclusive(' ') {
            reader.feed(piece);
        }
        reader.feed("\n");
        let expression = reader.next().expect("one expression");
        assert_eq!(read_value(&expression, sort), expected, "{text}");
    }

    #[test]
    fn values() {
        let byte = |value| BitVec::new(8, value);
        check("#x2a", Sort::BitVec(8), Some(Value::BitVec(byte(42))));
        check("#b00101010", Sort::BitVec(8), Some(Value::BitVec(byte(42))));
        check("(_ bv42 8)", Sort::BitVec(8), Some(Value::BitVec(byte(42))));
        check("true", Sort::Bool, Some(Value::Bool(true)));
        check(
            "RTZ",
            Sort::RoundingMode,
            Some(Value::Rounding(RoundingMode::TowardZero)),
        );
        check("nonsense", Sort::Bool, None);
        check("(what)", Sort::BitVec(8), None);
        let sort = Sort::Array { index: 8, element: 8 };
        let array = ArrayValue::constant(8, byte(1))
            .with(byte(2), byte(3))
            .with(byte(4), byte(5));
        let text = "(store (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x01) #x02 #x03) #x04 #x05)";
        check(text, sort, Some(Value::Array(array.clone())));
        let text = "(let ((a!1 (store ((as const (Array |x y| B)) #x01) #x02 #x03))) (store a!1 #x04 #x05))";
        check(text, sort, Some(Value::Array(array)));
    }
}
