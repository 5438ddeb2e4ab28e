//! The language of stabs' strings: a name, a letter for what it is, and a type.
//!
//! Idea: recursive descent, as types nest without brackets; every step takes bytes, and the depth is bounded.
//!
//! Source: "The stabs debug format", chapters 4 and 5; sizes of avr-gcc's types are from its `@s` attributes,
//! and where these are missing, from the bounds of a range.

use super::super::DebugError;
use super::SECTION;
use super::store::{Key, Member, Node, NodeId, Space, Store};

/// Types that nest deeper than this are no program's.
const DEEPEST: usize = 200;
/// Bytes of `int`, the size of enumerations without an attribute.
const INT: u32 = 2;
/// Bytes of a pointer without an attribute.
const POINTER: u32 = 2;
/// The number of the built-in Boolean type.
const BOOLEAN: i64 = -16;

/// What a string says.
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) descriptor: u8,
    pub(super) node: NodeId,
}

/// A range with its bounds.
struct Range {
    node: Node,
    lower: i64,
    upper: i64,
}

/// The integer type of a range. The bounds of a wide type are octal numbers without a sign, and `char` ranges
/// from 0 to 127.
fn integer(size: Option<u32>, lower: i64, upper: i64) -> Node {
    let signed = lower != 0 || upper == 127;
    let bits = match (lower, upper) {
        (0, 127) => 8,
        (0, -1) => 32,
        (0, _) => 64 - upper.leading_zeros(),
        _ => 65 - (lower ^ (lower >> 63)).leading_zeros(),
    };
    let size = size.unwrap_or(bits.div_ceil(8).next_power_of_two());
    Node::Integer {
        name: String::new(),
        size,
        signed,
    }
}

/// The reader of one string.
pub(super) struct Parser<'text, 'store> {
    pub(super) text: &'text [u8],
    pub(super) at: usize,
    /// Where the string's record is, for errors.
    pub(super) record: usize,
    pub(super) depth: usize,
    /// Spaces by file number.
    pub(super) spaces: &'store [Space],
    /// The space whose text this is.
    pub(super) writer: Space,
    pub(super) store: &'store mut Store,
}

impl Parser<'_, '_> {
    /// The symbol that the string describes; nothing for a name only, or for a constant.
    pub(super) fn symbol(&mut self) -> Result<Option<Symbol>, DebugError> {
        let Some(name) = self.name_before_colon() else {
            return Ok(None);
        };
        let descriptor = match self.peek() {
            Some(letter) if letter.is_ascii_alphabetic() => {
                self.at += 1;
                letter
            }
            Some(b'(' | b'0'..=b'9' | b'-') => b'(',
            _ => return Err(self.error("a symbol needs a letter or a type")),
        };
        // In C++, a structure's tag is a type's name as well.
        if descriptor == b'T' {
            self.eat(b't');
        }
        if descriptor == b'c' {
            return Ok(None);
        }
        let node = self.type_()?;
        // The compiler writes a space for no name.
        if matches!(descriptor, b't' | b'T') && !name.trim().is_empty() {
            self.store.name(self.writer, node, &name);
        }
        Ok(Some(Symbol {
            name,
            descriptor,
            node,
        }))
    }

    fn error(&self, reason: &str) -> DebugError {
        let start = self.at.saturating_sub(30).min(self.text.len());
        let end = self.at.saturating_add(10).min(self.text.len());
        let near = String::from_utf8_lossy(&self.text[start..end]);
        let reason = format!(
            "{reason}, near {near:?}; compile with -gdwarf-4 instead of -g if the file is not damaged"
        );
        DebugError::new(SECTION, self.record, reason)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), DebugError> {
        if self.eat(byte) {
            return Ok(());
        }
        Err(self.error(&format!("{:?} is missing", char::from(byte))))
    }

    /// The text up to a byte, which is passed.
    fn until(&mut self, byte: u8) -> Result<String, DebugError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        match rest.iter().position(|other| *other == byte) {
            Some(length) => {
                self.at += length + 1;
                Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
            }
            None => Err(self.error(&format!("{:?} is missing", char::from(byte)))),
        }
    }

    /// The name up to a colon, where two colons are part of a C++ name.
    fn name_before_colon(&mut self) -> Option<String> {
        let mut end = self.at;
        loop {
            end += self.text.get(end..)?.iter().position(|byte| *byte == b':')?;
            if self.text.get(end + 1) != Some(&b':') {
                break;
            }
            end += 2;
        }
        let name = String::from_utf8_lossy(&self.text[self.at..end]).into_owned();
        self.at = end + 1;
        Some(name)
    }

    /// A number, octal after a leading 0; one of more than 63 bits is the largest.
    fn number(&mut self) -> Result<i64, DebugError> {
        let negative = self.eat(b'-');
        let radix = if self.peek() == Some(b'0') { 8 } else { 10 };
        let start = self.at;
        let mut value: i64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value
                .saturating_mul(radix)
                .saturating_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        if start == self.at {
            return Err(self.error("a number is missing"));
        }
        Ok(if negative { -value } else { value })
    }

    fn small(&mut self) -> Result<u32, DebugError> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.error("the number is too large"))
    }

    fn key(&mut self) -> Result<Key, DebugError> {
        if !self.eat(b'(') {
            let number = self.small()?;
            let space = self.spaces[0];
            return Ok(Key { space, number });
        }
        let file = self.small()? as usize;
        self.expect(b',')?;
        let number = self.small()?;
        self.expect(b')')?;
        match self.spaces.get(file) {
            Some(space) => Ok(Key {
                space: *space,
                number,
            }),
            None => Err(self.error("the type's header is not included")),
        }
    }

    /// A type: a number, a number with its definition, or a definition only.
    fn type_(&mut self) -> Result<NodeId, DebugError> {
        if self.depth >= DEEPEST {
            return Err(self.error("types nest too deep"));
        }
        self.depth += 1;
        let node = match self.peek() {
            Some(b'(' | b'0'..=b'9') => {
                let key = self.key()?;
                if self.eat(b'=') {
                    let definition = self.type_()?;
                    self.store.define(self.writer, key, definition);
                }
                self.store.reference(key)
            }
            _ => self.definition()?,
        };
        self.depth -= 1;
        Ok(node)
    }

    fn definition(&mut self) -> Result<NodeId, DebugError> {
        let size = self.attributes()?;
        let Some(letter) = self.peek() else {
            return Err(self.error("a type is missing"));
        };
        self.at += 1;
        let node = match letter {
            // An attribute may precede a reference to another type.
            b'(' | b'0'..=b'9' => {
                self.at -= 1;
                return self.type_();
            }
            // Volatile and constant.
            b'B' | b'k' => return self.type_(),
            b'*' | b'&' => Node::Pointer {
                size: size.unwrap_or(POINTER),
                target: self.type_()?,
            },
            b'f' => {
                self.type_()?;
                Node::Function
            }
            b'#' => self.method_type()?,
            b'r' => self.range(size)?.node,
            b'a' => self.array()?,
            b's' | b'u' => self.record(letter == b'u')?,
            b'e' => self.enumeration(size)?,
            b'x' => self.incomplete()?,
            b'R' => self.numeric(size)?,
            b'-' => {
                self.at -= 1;
                let number = self.number()?;
                self.expect(b';')?;
                let size = size.unwrap_or(INT);
                match number {
                    BOOLEAN => Node::Boolean { size },
                    _ => Node::Unknown { size },
                }
            }
            _ => return Err(self.error(&format!("type descriptor {:?} is unknown", char::from(letter)))),
        };
        Ok(self.store.add(node))
    }

    /// The size in bytes that attributes in front of a type give.
    fn attributes(&mut self) -> Result<Option<u32>, DebugError> {
        let mut size = None;
        while self.eat(b'@') {
            if self.eat(b's') {
                size = Some(self.small()?.div_ceil(8));
                self.expect(b';')?;
            } else {
                self.until(b';')?;
            }
        }
        Ok(size)
    }

    /// A range of a type with its bounds: in fact an integer, or a floating-point type as "range" from its
    /// size to 0.
    fn range(&mut self, size: Option<u32>) -> Result<Range, DebugError> {
        self.type_()?;
        self.expect(b';')?;
        let lower = self.number()?;
        self.expect(b';')?;
        let upper = self.number()?;
        self.expect(b';')?;
        let node = if upper == 0 && lower > 0 {
            let name = String::new();
            let size = u32::try_from(lower).map_err(|_| self.error("the number is too large"))?;
            Node::Float { name, size }
        } else {
            integer(size, lower, upper)
        };
        Ok(Range { node, lower, upper })
    }

    fn array(&mut self) -> Result<Node, DebugError> {
        self.attributes()?;
        self.expect(b'r')?;
        let range = self.range(None)?;
        let element = self.type_()?;
        let count = range.upper.saturating_sub(range.lower).saturating_add(1).max(0);
        let count = u32::try_from(count).map_err(|_| self.error("the array is too large"))?;
        Ok(Node::Array { element, count })
    }

    fn enumeration(&mut self, size: Option<u32>) -> Result<Node, DebugError> {
        let mut enumerators = Vec::new();
        while !self.eat(b';') {
            let name = self.until(b':')?;
            let value = self.number()?;
            self.expect(b',')?;
            enumerators.push((name, value));
        }
        Ok(Node::Enum {
            name: String::new(),
            size: size.unwrap_or(INT),
            enumerators,
        })
    }

    fn incomplete(&mut self) -> Result<Node, DebugError> {
        let is_union = match self.peek() {
            Some(b's') => Some(false),
            Some(b'u') => Some(true),
            Some(b'e') => None,
            _ => return Err(self.error("a reference needs the letter of a structure, union or enumeration")),
        };
        self.at += 1;
        let Some(name) = self.name_before_colon() else {
            return Err(self.error("a reference needs a name"));
        };
        Ok(Node::Incomplete { name, is_union })
    }

    /// Floating-point numbers of kinds, of which compilers use the complex ones.
    fn numeric(&mut self, size: Option<u32>) -> Result<Node, DebugError> {
        self.number()?;
        self.expect(b';')?;
        let bytes = self.small()?;
        self.expect(b';')?;
        self.number()?;
        self.expect(b';')?;
        let size = size.unwrap_or(bytes);
        Ok(Node::Unknown { size })
    }

    fn record(&mut self, is_union: bool) -> Result<Node, DebugError> {
        let size = self.small()?;
        let mut members = Vec::new();
        if self.eat(b'!') {
            let bases = self.small()?;
            self.expect(b',')?;
            for _ in 0..bases {
                members.push(self.base()?);
            }
        }
        while !self.eat(b';') {
            let start = self.at;
            let name = self.until(b':')?;
            if self.eat(b':') {
                self.methods()?;
            } else {
                members.extend(self.member(name)?);
            }
            debug_assert!(self.at > start);
        }
        // The class whose table of virtual functions this one uses.
        if self.eat(b'~') {
            self.expect(b'%')?;
            self.type_()?;
            self.expect(b';')?;
        }
        Ok(Node::Record {
            name: String::new(),
            size,
            is_union,
            members,
        })
    }

    /// A field; nothing for a static member of a class.
    fn member(&mut self, name: String) -> Result<Option<Member>, DebugError> {
        self.visibility();
        let node = self.type_()?;
        if self.eat(b':') {
            self.until(b';')?;
            return Ok(None);
        }
        self.expect(b',')?;
        let place = self.small()?;
        self.expect(b',')?;
        let width = self.small()?;
        self.expect(b';')?;
        Ok(Some(Member {
            name,
            place,
            width,
            node,
        }))
    }

    fn visibility(&mut self) {
        if self.eat(b'/') {
            self.at += 1;
        }
    }

    /// A base class, a member without a name.
    fn base(&mut self) -> Result<Member, DebugError> {
        // Whether it is virtual, and its visibility.
        self.at += 2;
        let place = self.small()?;
        self.expect(b',')?;
        let node = self.type_()?;
        self.expect(b';')?;
        Ok(Member {
            name: String::new(),
            place,
            width: 0,
            node,
        })
    }

    /// The methods of one name, which are of no use here.
    fn methods(&mut self) -> Result<(), DebugError> {
        while !self.eat(b';') {
            self.type_()?;
            self.expect(b':')?;
            self.until(b';')?;
            // Visibility, and whether it is constant.
            self.at += 2;
            if self.eat(b'*') {
                self.number()?;
                self.expect(b';')?;
                self.type_()?;
                self.expect(b';')?;
            } else if !self.eat(b'.') {
                self.expect(b'?')?;
            }
        }
        Ok(())
    }

    fn method_type(&mut self) -> Result<Node, DebugError> {
        if self.eat(b'#') {
            self.type_()?;
            self.expect(b';')?;
            return Ok(Node::Function);
        }
        self.type_()?;
        while !self.eat(b';') {
            self.expect(b',')?;
            self.type_()?;
        }
        Ok(Node::Function)
    }
}
