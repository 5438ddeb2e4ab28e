//! C expressions over what a trace tells of: for watches, hovers and conditions of breakpoints.
//!
//! Idea: numbers are kept as 128-bit integers or doubles, so nothing of an embedded program overflows; types
//! are not known, so no value is cut to one. What is no number, as a pointer or a byte of unknown bits, can
//! be shown and compared for equality only.
//!
//! Invariant: no text of any length or depth panics, and every result is one that C gives where all operands
//! fit their types.

/// The deepest nesting.
const DEEPEST: u32 = 64;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer, a truth value or a character.
    Integer(i128),
    /// A floating-point number.
    Real(f64),
    /// Anything else, as the trace shows it.
    Text(String),
}

impl Value {
    /// Reads a value as traces show it: `30 (0x1e)`, `0x02`, `'a'`, `true`, `0.5f`, `&buffer[3]`.
    pub fn read(text: &str) -> Self {
        let first = text.split(' ').next().unwrap_or_default();
        match first {
            "true" => return Value::Integer(1),
            "false" | "NULL" => return Value::Integer(0),
            _ => {}
        }
        if let Some((_, rest)) = text.split_once("(").filter(|_| text.starts_with('\'')) {
            return Value::read(rest.trim_end_matches(')'));
        }
        let is_bits = text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        let bits = i128::from_str_radix(text, 2).ok().filter(|_| is_bits);
        let value = bits.map(Value::Integer).or_else(|| number(first));
        value.unwrap_or_else(|| Value::Text(text.to_owned()))
    }

    fn is_true(&self) -> Result<bool, String> {
        match self {
            Value::Integer(number) => Ok(*number != 0),
            Value::Real(number) => Ok(*number != 0.0),
            Value::Text(text) => Err(format!("`{text}` is no number")),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Integer(number) if (0..10).contains(number) => write!(f, "{number}"),
            Value::Integer(number) if *number < 0 => write!(f, "{number}"),
            Value::Integer(number) => write!(f, "{number} ({number:#x})"),
            Value::Real(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "{text}"),
        }
    }
}

/// A number of C.
fn number(text: &str) -> Option<Value> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let lower = digits.to_ascii_lowercase();
    let integer = lower.trim_end_matches(['u', 'l']);
    let parsed = if let Some(hex) = integer.strip_prefix("0x") {
        i128::from_str_radix(hex, 16)
    } else if let Some(binary) = integer.strip_prefix("0b") {
        i128::from_str_radix(binary, 2)
    } else {
        integer.parse()
    };
    if let Ok(number) = parsed {
        return Some(Value::Integer(sign * number));
    }
    if !lower.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let real: f64 = lower.trim_end_matches(['f', 'l']).parse().ok()?;
    Some(Value::Real(f64::from(sign as i8) * real))
}

/// Evaluates an expression; variables, with their members and elements, are looked up.
pub fn evaluate(text: &str, look_up: &dyn Fn(&str) -> Option<Value>) -> Result<Value, String> {
    let text = text.trim();
    let is_atom = text.starts_with('{') && text.ends_with('}') && text.len() >= 2;
    let text = if is_atom { &text[1..text.len() - 1] } else { text };
    let mut parser = Parser {
        rest: text,
        look_up,
        depth: 0,
    };
    let value = parser.binary(0)?;
    match parser.token() {
        "" => Ok(value),
        token => Err(format!("`{token}` was not expected here")),
    }
}

struct Parser<'t> {
    rest: &'t str,
    look_up: &'t dyn Fn(&str) -> Option<Value>,
    depth: u32,
}

const OPERATORS: &[(&str, u8)] = &[
    ("||", 2),
    ("&&", 3),
    ("==", 7),
    ("!=", 7),
    ("<=", 8),
    (">=", 8),
    ("<<", 9),
    (">>", 9),
    ("|", 4),
    ("^", 5),
    ("&", 6),
    ("<", 8),
    (">", 8),
    ("+", 10),
    ("-", 10),
    ("*", 11),
    ("/", 11),
    ("%", 11),
];

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '#')
}

impl<'t> Parser<'t> {
    /// The next token, which stays.
    fn token(&self) -> &'t str {
        let rest = self.rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return "";
        };
        if is_word(first) {
            let end = rest.find(|next| !is_word(next)).unwrap_or(rest.len());
            let is_number = first.is_ascii_digit();
            let fraction = is_number && rest[end..].starts_with('.');
            let end = match fraction {
                true => rest[end + 1..]
                    .find(|next| !is_word(next))
                    .map_or(rest.len(), |more| end + 1 + more),
                false => end,
            };
            return &rest[..end];
        }
        for symbol in ["->", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>"] {
            if rest.starts_with(symbol) {
                return &rest[..symbol.len()];
            }
        }
        &rest[..first.len_utf8()]
    }

    fn take(&mut self) -> &'t str {
        let token = self.token();
        let rest = self.rest.trim_start();
        self.rest = &rest[token.len()..];
        token
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.take() {
            token if token == wanted => Ok(()),
            "" => Err(format!("`{wanted}` is missing at the end")),
            token => Err(format!("`{wanted}` was expected instead of `{token}`")),
        }
    }

    fn binary(&mut self, weakest: u8) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".to_owned());
        }
        let mut left = self.unary()?;
        loop {
            let token = self.token();
            if token == "?" && weakest <= 1 {
                left = self.conditional(&left)?;
                continue;
            }
            let operator = OPERATORS.iter().find(|(name, _)| *name == token);
            let Some(&(operator, strength)) = operator.filter(|(_, strength)| *strength > weakest) else {
                break;
            };
            self.take();
            let right = self.binary(strength)?;
            left = apply(operator, &left, &right)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn conditional(&mut self, condition: &Value) -> Result<Value, String> {
        self.take();
        let yes = self.binary(0)?;
        self.expect(":")?;
        let no = self.binary(0)?;
        Ok(if condition.is_true()? { yes } else { no })
    }

    fn unary(&mut self) -> Result<Value, String> {
        let token = self.token();
        if !matches!(token, "-" | "+" | "!" | "~") {
            return self.primary();
        }
        self.take();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".to_owned());
        }
        let value = self.unary()?;
        self.depth -= 1;
        match (token, value) {
            ("!", value) => Ok(Value::Integer(i128::from(!value.is_true()?))),
            ("+", value @ (Value::Integer(_) | Value::Real(_))) => Ok(value),
            ("-", Value::Integer(number)) => Ok(Value::Integer(number.wrapping_neg())),
            ("-", Value::Real(number)) => Ok(Value::Real(-number)),
            ("~", Value::Integer(number)) => Ok(Value::Integer(!number)),
            (_, value) => Err(format!("`{token}` cannot be applied to {value}")),
        }
    }

    fn primary(&mut self) -> Result<Value, String> {
        let token = self.take();
        match token.chars().next() {
            None => Err("the expression ends too early".to_owned()),
            Some('(') => {
                let value = self.binary(0)?;
                self.expect(")")?;
                Ok(value)
            }
            Some(first) if first.is_ascii_digit() => {
                number(token).ok_or_else(|| format!("`{token}` is no number"))
            }
            Some(first) if is_word(first) => self.variable(token),
            Some(_) => Err(format!("`{token}` was not expected here")),
        }
    }

    fn variable(&mut self, name: &str) -> Result<Value, String> {
        let mut path = name.to_owned();
        loop {
            match self.token() {
                selector @ ("." | "->") => {
                    self.take();
                    path.push_str(selector);
                    path.push_str(self.take());
                }
                "[" => {
                    self.take();
                    let index = match self.binary(0)? {
                        Value::Integer(index) => index,
                        value => return Err(format!("the index {value} is no integer")),
                    };
                    self.expect("]")?;
                    path.push_str(&format!("[{index}]"));
                }
                _ => break,
            }
        }
        let truth = match path.as_str() {
            "true" => Some(Value::Integer(1)),
            "false" | "NULL" => Some(Value::Integer(0)),
            _ => None,
        };
        truth
            .or_else(|| (self.look_up)(&path))
            .ok_or_else(|| format!("the counterexample tells nothing of `{path}` up to here"))
    }
}

fn apply(operator: &str, left: &Value, right: &Value) -> Result<Value, String> {
    let truth = |is_true: bool| Ok(Value::Integer(i128::from(is_true)));
    match operator {
        "&&" => return truth(left.is_true()? && right.is_true()?),
        "||" => return truth(left.is_true()? || right.is_true()?),
        "==" if matches!(left, Value::Text(_)) => return truth(left == right),
        "!=" if matches!(left, Value::Text(_)) => return truth(left != right),
        _ => {}
    }
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => integers(operator, *left, *right),
        (Value::Text(text), _) | (_, Value::Text(text)) => Err(format!("`{text}` is no number")),
        (left, right) => reals(operator, real(left), real(right)),
    }
}

fn real(value: &Value) -> f64 {
    match value {
        Value::Integer(number) => *number as f64,
        Value::Real(number) => *number,
        Value::Text(_) => f64::NAN,
    }
}

fn integers(operator: &str, left: i128, right: i128) -> Result<Value, String> {
    let shift = u32::try_from(right).ok().filter(|distance| *distance < 64);
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "<<" => shift.and_then(|distance| left.checked_mul(1 << distance)),
        ">>" => shift.map(|distance| left >> distance),
        "&" => Some(left & right),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "==" => Some(i128::from(left == right)),
        "!=" => Some(i128::from(left != right)),
        "<" => Some(i128::from(left < right)),
        "<=" => Some(i128::from(left <= right)),
        ">" => Some(i128::from(left > right)),
        ">=" => Some(i128::from(left >= right)),
        _ => None,
    };
    result
        .map(Value::Integer)
        .ok_or_else(|| format!("{left} {operator} {right} has no value"))
}

fn reals(operator: &str, left: f64, right: f64) -> Result<Value, String> {
    let truth = |is_true: bool| Value::Integer(i128::from(is_true));
    Ok(match operator {
        "+" => Value::Real(left + right),
        "-" => Value::Real(left - right),
        "*" => Value::Real(left * right),
        "/" => Value::Real(left / right),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "<" => truth(left < right),
        "<=" => truth(left <= right),
        ">" => truth(left > right),
        ">=" => truth(left >= right),
        _ => return Err(format!("`{operator}` is none of floating-point numbers")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(name: &str) -> Option<Value> {
        let text = match name {
            "i" => "30 (0x1e)",
            "ring.data[3]" => "-7",
            "p->next" => "&list",
            "PORTB" => "0x82",
            "GIFR" => "0??00000",
            "c" => "'a' (97)",
            "half" => "0.5f",
            "ready" => "true",
            _ => return None,
        };
        Some(Value::read(text))
    }

    fn check(text: &str, expected: &str) {
        let found = match evaluate(text, &look_up) {
            Ok(value) => value.to_string(),
            Err(error) => error,
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn expressions_are_those_of_c() {
        check("i", "30 (0x1e)");
        check("{i <= 30}", "1");
        check("1 + 2 * 3 - 4 - 1", "2");
        check("ring . data[1+2] * -1", "7");
        check("PORTB & 0x80 ? 5 : 6", "5");
        check("0 ? 1 : 0 ? 2 : 3", "3");
        check("!ready || ~0 == -1 && c == 97", "1");
        check("half * 3 > 1.25", "1");
        check("1 << 4 | 3 ^ 1", "18 (0x12)");
        check("p->next", "&list");
        check("GIFR != 0", "1");
    }

    #[test]
    fn what_has_no_value_says_why() {
        check(
            "nothing",
            "the counterexample tells nothing of `nothing` up to here",
        );
        check("1 / 0", "1 / 0 has no value");
        check("1 << 200", "1 << 200 has no value");
        check("p->next + 1", "`&list` is no number");
        check("(1", "`)` is missing at the end");
        check("1 2", "`2` was not expected here");
        check("", "the expression ends too early");
        check(&"(".repeat(5000), "the expression is nested too deeply");
        check(&"-".repeat(5000), "the expression is nested too deeply");
        check("§", "`§` was not expected here");
    }
}
