//! Words of other compilers for microcontrollers.
//!
//! Idea: SDCC, and the compilers of IAR and TI, have words of their own for handlers and registers that clang
//! does not know. A source that clang refuses where such words stand is compiled once more with definitions
//! of them: handlers and placed objects are annotated, and registers are `extern volatile` objects, of which
//! each read gives any value. Words that choose a kind of memory or the code of a function mean nothing to
//! what is checked.
//!
//! Invariant: no word is defined whose meaning would get lost. `__critical`, which disables interrupts, and
//! `__asm`, stay errors.
//!
//! Source: SDCC Compiler User Guide, "Storage Class Language Extensions" and "Interrupt Service Routines"; TI
//! MSP430 Optimizing C/C++ Compiler User's Guide, "The __interrupt Keyword".

use crate::ir::{Constant, Module};

/// The annotation of a handler, and the attribute that it becomes.
pub(crate) const HANDLER: &str = "kripke interrupt";
/// The annotation of an object for which the program chooses a place.
const PLACED: &str = "kripke placed";

/// The words of SDCC that show that a source is written for it, beside the one for handlers.
const OF_SDCC: &[&str] = &[
    "__sfr",
    "__sfr16",
    "__sfr32",
    "__sbit",
    "__bit",
    "__at",
    "__xdata",
    "__pdata",
    "__idata",
    "__data",
    "__code",
    "__near",
    "__far",
    "__using",
    "__reentrant",
    "__naked",
];

/// What they mean. An object that is placed and no register is annotated where it is defined.
const SDCC: &[&str] = &[
    "__interrupt(n)=__attribute__((used, annotate(\"kripke interrupt\")))",
    "__sfr=extern volatile unsigned char",
    "__sfr16=extern volatile unsigned short",
    "__sfr32=extern volatile unsigned long",
    "__sbit=extern volatile _Bool",
    "__bit=_Bool",
    "__at(address)=__attribute__((annotate(\"kripke placed\")))",
    "__xdata=",
    "__pdata=",
    "__idata=",
    "__data=",
    "__code=",
    "__near=",
    "__far=",
    "__using(bank)=",
    "__reentrant=",
    "__naked=",
];

/// A handler as compilers that have a word before it write it.
const BEFORE: &[&str] = &["__interrupt=__attribute__((used, annotate(\"kripke interrupt\")))"];

/// The definitions with which a source may be compiled, by what clang says of it without them.
pub(crate) fn definitions(messages: &[u8]) -> &'static [&'static str] {
    let messages = String::from_utf8_lossy(messages);
    let has = |word: &str| behind(&messages, word).next().is_some();
    let takes_number = behind(&messages, "__interrupt").any(|rest| rest.trim_start().starts_with('('));
    match has("__interrupt") && !takes_number {
        true => BEFORE,
        false if takes_number || OF_SDCC.iter().any(|word| has(word)) => SDCC,
        false => &[],
    }
}

/// What follows a word wherever it stands by itself.
fn behind<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).filter_map(move |(at, _)| {
        let rest = &text[at + word.len()..];
        let is_whole = !text[..at].ends_with(is_part) && !rest.starts_with(is_part);
        is_whole.then_some(rest)
    })
}

/// Gives annotated functions the attribute of handlers.
pub(crate) fn mark_handlers(module: &mut Module) {
    for name in annotated(module, HANDLER) {
        if let Some(function) = module
            .functions
            .iter_mut()
            .find(|function| *function.name == *name)
        {
            function.attributes.push(HANDLER.into());
        }
    }
}

/// The objects for which the program chooses places.
pub(crate) fn placed_objects(module: &Module) -> Vec<String> {
    annotated(module, PLACED)
}

fn annotated(module: &Module, text: &str) -> Vec<String> {
    let annotations = annotations(module).filter(|(_, found)| found == text);
    annotations.map(|(name, _)| name.to_owned()).collect()
}

/// The annotations of functions and objects: the name of each, and the text.
pub(crate) fn annotations(module: &Module) -> impl Iterator<Item = (&str, String)> {
    let mut globals = module.globals.iter();
    let all = globals.find(|global| &*global.name == "llvm.global.annotations");
    let entries = match all.and_then(|global| global.initializer.as_ref()) {
        Some(Constant::Aggregate(entries)) => &entries[..],
        _ => &[],
    };
    entries.iter().filter_map(|(_, entry)| match entry {
        Constant::Aggregate(fields) => match &fields[..] {
            [(_, of), (_, text), ..] => Some((&**of.global()?, literal(module, text)?)),
            _ => None,
        },
        _ => None,
    })
}

/// The text that a constant of a module names.
pub(crate) fn literal(module: &Module, constant: &Constant) -> Option<String> {
    let name = constant.global()?;
    let global = module.globals.iter().find(|global| global.name == *name)?;
    global.initializer.as_ref()?.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_told_by_their_words() {
        let of = |messages: &str| definitions(messages.as_bytes());
        assert_eq!(of("void timer(void) __interrupt(1)\n"), SDCC);
        assert_eq!(
            of("error: unknown type name '__sfr'\n__sfr __at(0x80) P0;\n"),
            SDCC
        );
        assert_eq!(
            of("error: unknown type name '__interrupt'\n__interrupt void timer(void)\n"),
            BEFORE
        );
        assert_eq!(
            of("error: unknown type name 'u8'\nu8 my__sfr, __interrupts;\n"),
            [""; 0]
        );
        assert!(SDCC.iter().chain(BEFORE).all(|word| word.contains('=')));
    }
}
