//! The loops of a program by the names that `--unwindset` takes: `FUNCTION.N` and `FILE:LINE`.

use kripke_elts::Program;

use crate::graph::Graph;

/// A loop as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopName {
    /// `FUNCTION.N`; N counts the function's loops from 1.
    pub name: String,
    /// The file of its head.
    pub file: String,
    /// The line of its head; 0 when unknown.
    pub line: u32,
}

impl LoopName {
    /// Does the name, of either form, mean this loop?
    pub fn is_named(&self, name: &str) -> bool {
        name == self.name || is_place(name, &self.file, self.line)
    }
}

/// Every loop of the program, by function.
pub fn loops(program: &Program) -> Vec<LoopName> {
    let mut names = Vec::new();
    for function in program.functions.iter() {
        for found in Graph::new(function).loops {
            let position = function.locations[found.head].position;
            names.push(LoopName {
                name: format!("{}.{}", function.name, found.number),
                file: program
                    .files
                    .get(position.file)
                    .map_or_else(String::new, |file| file.path.clone()),
                line: position.line,
            });
        }
    }
    names
}

/// Is `name` `FILE:LINE` for that line of the file at `path`, of which it may give only the end?
pub(crate) fn is_place(name: &str, path: &str, line: u32) -> bool {
    name.rsplit_once(':').is_some_and(|(file, number)| {
        number.parse() == Ok(line)
            && (path == file || path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/')))
    })
}
