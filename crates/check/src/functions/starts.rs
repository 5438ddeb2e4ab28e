//! Which functions are checked by themselves, and which of them are entry points.
//!
//! Idea: an entry point is where a run may come from outside the program: `main`; a function that nobody in
//! the program calls by its name (a handler of an interrupt); one whose address is taken (a callback); where
//! there is no `main`, as in a library, every function that others can call. What happens in a run from an
//! entry point counts; from any other function, its callers decide. A callback's arguments come from somebody
//! who is not known, so that what happens with some of them is open.
//!
//! Invariant: every function is reached from an entry point by calls of names. So what holds from every entry
//! point that may come to a function holds for all of its callers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kripke_llvm::translate::{DefinedFunction, Parameters};
use kripke_model::{Place, Rank};

use super::calls::Calls;
use super::changes::Changes;

/// A function that a run can start in.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The function.
    pub function: DefinedFunction,
    /// Does what happens in a run from here count?
    pub is_entry_point: bool,
    /// Is its address taken, so that somebody who is not known may call it with arguments of its own?
    pub is_callback: bool,
    /// Was it asked for?
    pub is_wanted: bool,
    /// Was it asked for, but that nothing changed for it?
    pub is_left_out: bool,
    /// Why it is checked where only what changed is.
    pub changed: Option<String>,
    /// Is it wanted, or an entry point whose runs may come to a function that is?
    pub is_needed: bool,
    /// Who calls it by its name, as `--entry` names them.
    pub callers: Vec<String>,
    /// What its runs may come to, by the names in the model; none for anything.
    pub reaches: Option<BTreeSet<String>>,
    /// The functions of the C library that it calls, and that these call.
    pub library: BTreeSet<String>,
    /// How much code its runs may come to.
    pub weight: usize,
}

impl Start {
    /// Where it is.
    pub fn place(&self) -> Place {
        Place {
            file: self.function.file.clone(),
            line: self.function.line,
            column: 0,
            function: self.function.name.clone(),
        }
    }

    /// May a run that starts here come to the function?
    pub fn may_reach(&self, name: &str) -> bool {
        self.reaches.as_ref().is_none_or(|reached| reached.contains(name))
    }

    /// How much a run that starts here takes for granted, where it is an entry point.
    pub fn rank(&self, rests_on_objects: bool) -> Rank {
        match self.function.parameters {
            _ if self.is_main() => Rank::Nothing,
            _ if rests_on_objects => Rank::Objects,
            Parameters::None => Rank::Nothing,
            _ if self.is_callback => Rank::Callers,
            Parameters::Values | Parameters::Pointers => Rank::Arguments,
        }
    }

    /// Is it the program's own start?
    pub fn is_main(&self) -> bool {
        self.function.entry == "main"
    }

    /// Does it get pointers, which may be null?
    pub fn has_pointers(&self) -> bool {
        !self.is_main() && self.function.parameters == Parameters::Pointers
    }
}

/// The functions of a program that a run can start in, of which those are wanted that match the pattern.
pub(super) fn starts(
    functions: &[DefinedFunction],
    calls: &Calls,
    files: &[PathBuf],
    pattern: &str,
    changes: Option<&Changes>,
) -> Vec<Start> {
    let folders: Vec<PathBuf> = files.iter().map(|file| folder_of(file)).collect();
    let own = functions.iter().filter(|function| is_own(function, &folders));
    let program = Program::new(functions, own.collect(), calls);
    let points = program.entry_points();
    let is_named = |function: &DefinedFunction| {
        let bare = function.entry.rsplit_once(':').map(|(_, name)| name);
        matches(pattern, &function.entry) || bare.is_some_and(|name| matches(pattern, name))
    };
    let reason = |function: &DefinedFunction| {
        changes.and_then(|changes| {
            let reaches = calls.reached_from(&function.name);
            changes.reason(&function.name, reaches.as_ref())
        })
    };
    let is_wanted =
        |function: &DefinedFunction| is_named(function) && (changes.is_none() || reason(function).is_some());
    let wanted: Vec<&str> = program
        .own
        .iter()
        .filter(|function| is_wanted(function))
        .map(|function| function.name.as_str())
        .collect();
    let start = |(function, is_entry_point): (&&DefinedFunction, bool)| {
        let reaches = calls.reached_from(&function.name);
        let may_reach = |name: &str| reaches.as_ref().is_none_or(|reached| reached.contains(name));
        Start {
            is_entry_point,
            is_callback: !program.is_for_others(function) && function.has_address_taken,
            is_wanted: is_wanted(function),
            is_left_out: is_named(function) && !is_wanted(function),
            changed: reason(function),
            is_needed: is_wanted(function) || is_entry_point && wanted.iter().any(|name| may_reach(name)),
            callers: program.callers(function),
            library: program.library_of(function),
            reaches,
            weight: calls.weight(&function.name),
            function: (*function).clone(),
        }
    };
    program.own.iter().zip(points).map(start).collect()
}

/// The functions of a program and their calls.
struct Program<'p> {
    functions: &'p [DefinedFunction],
    /// Those that are checked by themselves.
    own: Vec<&'p DefinedFunction>,
    has_main: bool,
    calls: &'p Calls,
    /// What each function calls: others of the program, and of the library.
    called: BTreeMap<&'p str, BTreeSet<String>>,
}

impl<'p> Program<'p> {
    fn new(functions: &'p [DefinedFunction], own: Vec<&'p DefinedFunction>, calls: &'p Calls) -> Self {
        let names: BTreeSet<&str> = functions.iter().map(|function| &*function.name).collect();
        let called_by = |function: &'p DefinedFunction| {
            let called = calls.called_by(&function.name, |name| names.contains(name));
            (&*function.name, called)
        };
        Program {
            functions,
            has_main: own.iter().any(|function| function.entry == "main"),
            own,
            calls,
            called: functions.iter().map(called_by).collect(),
        }
    }

    /// Can others call it by its name, of whom nothing is known?
    fn is_for_others(&self, function: &DefinedFunction) -> bool {
        !self.has_main && function.is_exported
    }

    fn callers(&self, function: &DefinedFunction) -> Vec<String> {
        let others = self.functions.iter().filter(|other| other.name != function.name);
        let callers = others.filter(|other| {
            let called = self.called.get(&*other.name);
            called.is_some_and(|called| called.contains(&function.name))
        });
        callers.map(|other| other.entry.clone()).collect()
    }

    /// The functions of the library that it calls, and that these call.
    fn library_of(&self, function: &DefinedFunction) -> BTreeSet<String> {
        let mut called = self.called.get(&*function.name).cloned().unwrap_or_default();
        called.retain(|name| !self.called.contains_key(&**name));
        called
    }

    fn entry_points(&self) -> Vec<bool> {
        let is_free = |function: &DefinedFunction| {
            let is_open = self.is_for_others(function) || function.has_address_taken;
            function.entry == "main" || is_open || self.callers(function).is_empty()
        };
        let mut points: Vec<bool> = self.own.iter().map(|function| is_free(function)).collect();
        let mut reached = BTreeSet::new();
        for (function, _) in self.own.iter().zip(&points).filter(|(_, is_point)| **is_point) {
            reached.append(&mut self.calls.named_from(&function.name));
        }
        // Functions that only call each other.
        for (function, is_point) in self.own.iter().zip(&mut points) {
            if !reached.contains(&function.name) {
                *is_point = true;
                reached.append(&mut self.calls.named_from(&function.name));
            }
        }
        points
    }
}

/// Functions of the files given and of the folders in which these are are the program's own, and whatever
/// others can call. A static function from elsewhere, of a header of the system, is only followed.
fn is_own(function: &DefinedFunction, folders: &[PathBuf]) -> bool {
    let file = absolute(Path::new(&function.file));
    function.is_exported || function.file.is_empty() || folders.iter().any(|folder| file.starts_with(folder))
}

fn folder_of(file: &Path) -> PathBuf {
    let mut file = absolute(file);
    file.pop();
    file
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_path_buf())
}

/// Does the text match the pattern, in which `*` stands for any text?
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.any(|at| matches(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, expected: bool) {
        assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
    }

    #[test]
    fn patterns() {
        check("*", "", true);
        check("*", "ring_put", true);
        check("ring_*", "ring_put", true);
        check("ring_*", "string_put", false);
        check("*_put", "ring_put", true);
        check("r*g*t", "ring_put", true);
        check("ring", "ring_put", false);
        check("*é", "é", true);
    }
}
