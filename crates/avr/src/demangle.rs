//! Names of C++ functions as they are written in the source.
//!
//! Invariant: what is no mangled name, or an odd one, stays as it is.

use std::borrow::Cow;

use cpp_demangle::BorrowedSymbol;

use crate::image::Symbol;

/// Longer names say less than the mangled ones.
const LONGEST: usize = 400;

impl Symbol {
    /// The name as the source has it, with the types of the parameters: `hw::Serial::write(unsigned char)`.
    #[must_use]
    pub fn readable(&self) -> Cow<'_, str> {
        if !self.name.starts_with("_Z") && !self.name.starts_with("_GLOBAL_") {
            return Cow::Borrowed(&self.name);
        }
        let symbol = BorrowedSymbol::new(self.name.as_bytes()).ok();
        let shown = symbol.and_then(|symbol| symbol.demangle().ok());
        match shown {
            Some(shown) if shown.len() <= LONGEST => Cow::Owned(shown),
            _ => Cow::Borrowed(&self.name),
        }
    }

    /// Whether it has that name, as the linker or as the source has it, with or without parameters.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let readable = self.readable();
        self.name == name
            || readable == name
            || readable.split_once('(').is_some_and(|(plain, _)| plain == name)
    }
}

#[cfg(test)]
mod tests {
    use crate::image::{Space, Symbol, SymbolKind};

    fn check(name: &str, expected: &str) {
        let symbol = Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Function,
            space: Space::Flash,
            address: 0,
            size: 0,
            global: true,
        };
        assert_eq!(symbol.readable(), expected);
        assert!(symbol.is_named(name) && symbol.is_named(expected));
    }

    #[test]
    fn names_are_as_in_the_source() {
        check("main", "main");
        check("__vector_1", "__vector_1");
        check("_ZN2hw6Serial5writeEh", "hw::Serial::write(unsigned char)");
        check("_ZTV5Print", "{vtable(Print)}");
        check("_Zodd", "_Zodd");
        check("_Z", "_Z");
    }
}
