//! Which functions changed since a revision of the project, or call one that did.
//!
//! Idea: texts are compared, not programs, so that the revision need not compile. What stands in a function
//! concerns that function; what stands between functions (types, variables, macros) concerns every function
//! of its unit, and every function at all where it may be about a variable that other units see. So does a
//! function that is gone, as nothing tells any more who called it. A header that changed concerns the units
//! that include it, which clang says.
//!
//! Invariant: where anything cannot be told (a file that the revision does not have, C that is not
//! understood, a unit without a text) it counts as changed. What is said of options, of files outside of the
//! repository and of what functions leave in variables for others stands in `docs/each-function.md`.

mod git;
mod pieces;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kripke_llvm::clang::{Clang, CompileOptions, Source};
use kripke_llvm::translate::DefinedFunction;

use crate::failure::Failure;
use git::Repository;
use pieces::Pieces;

/// What changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// Every function, for this reason.
    everything: Option<String>,
    /// Functions by their names in the model, with the reason.
    functions: BTreeMap<String, String>,
}

impl Changes {
    /// Why a function is to be checked that comes to these functions, or to anything.
    pub fn reason(&self, own: &str, reaches: Option<&BTreeSet<String>>) -> Option<String> {
        if let Some(why) = &self.everything {
            return Some(why.clone());
        }
        if let Some(why) = self.functions.get(own) {
            return Some(why.clone());
        }
        let changed = match reaches {
            None => self.functions.keys().next(),
            Some(reaches) => self.functions.keys().find(|name| reaches.contains(*name)),
        };
        changed.map(|name| match reaches {
            None => format!("it may call `{name}`, which changed"),
            Some(_) => format!("it comes to `{name}`, which changed"),
        })
    }
}

/// Compares the sources with those of a revision.
pub(super) fn since(
    revision: &str,
    sources: &[Source],
    compile: &CompileOptions,
    functions: &[DefinedFunction],
) -> Result<Changes, Failure> {
    let Some(first) = sources.first() else {
        return Ok(Changes::default());
    };
    let repository = Repository::of(&first.full_path(), revision)?;
    let mut changes = Changes {
        everything: repository.removed()?.map(|path| format!("{path} is gone")),
        ..Changes::default()
    };
    let mut clang = None;
    for source in sources {
        let unit = compare(source, compile, &repository, &mut clang)?;
        let is_own = |function: &&DefinedFunction| *function.unit == *source.path.to_string_lossy();
        for function in functions.iter().filter(is_own) {
            if let Some(why) = unit.reason(source, function) {
                changes.functions.entry(function.name.clone()).or_insert(why);
            }
        }
        if unit.concerns_others {
            let why = || unit.whole.clone().unwrap_or_default();
            changes.everything.get_or_insert_with(why);
        }
    }
    let units: BTreeSet<_> = sources
        .iter()
        .map(|source| source.path.to_string_lossy())
        .collect();
    // LLVM IR names the source that it was made of.
    for function in functions
        .iter()
        .filter(|function| !units.contains(&*function.unit))
    {
        let why = || format!("nothing tells the text of {}", function.unit);
        changes.functions.entry(function.name.clone()).or_insert_with(why);
    }
    Ok(changes)
}

/// What changed in a unit.
struct Unit {
    /// All of it, for this reason.
    whole: Option<String>,
    /// What changed may be seen in other units, too.
    concerns_others: bool,
    /// Its functions now, and which of them the revision has not like that.
    functions: Vec<(pieces::Piece, bool)>,
}

impl Unit {
    /// All of a unit of which no more is known.
    fn all(why: String) -> Unit {
        Unit {
            whole: Some(why),
            concerns_others: true,
            functions: Vec::new(),
        }
    }

    fn reason(&self, source: &Source, function: &DefinedFunction) -> Option<String> {
        if let Some(why) = &self.whole {
            return Some(why.clone());
        }
        // Headers are the same, or the whole unit changed.
        let here = source.full_path();
        let file = Path::new(&function.file);
        let is_here = git::absolute(file) == git::absolute(&here) || here.ends_with(file);
        if !function.file.is_empty() && !is_here {
            return None;
        }
        let mut at = self
            .functions
            .iter()
            .filter(|(piece, _)| piece.lines.contains(&function.line))
            .peekable();
        // What no text defines is made by a macro, and macros are the same.
        at.peek()?;
        at.any(|(_, is_changed)| *is_changed)
            .then(|| "its text changed".to_owned())
    }
}

fn compare(
    source: &Source,
    compile: &CompileOptions,
    repository: &Repository,
    clang: &mut Option<Clang>,
) -> Result<Unit, Failure> {
    let path = source.full_path();
    let shown = path.display();
    let (now, then) = (read(&path)?, repository.text(&path));
    let Some(then) = then else {
        return Ok(Unit::all(format!("{shown} is new")));
    };
    let is_c = path.extension().is_some_and(|name| name == "c");
    if is_c {
        let compiler = match clang {
            Some(clang) => clang,
            None => clang.insert(Clang::find(compile.clang.as_deref())?),
        };
        for included in compiler.included_files(source, compile)? {
            if git::absolute(&included) != git::absolute(&path) && repository.is_changed(&included) {
                let why = format!("{} changed, which {shown} includes", included.display());
                let concerns_others = Pieces::of(&now).is_none_or(|now| now.has_variables_for_others());
                return Ok(Unit {
                    concerns_others,
                    ..Unit::all(why)
                });
            }
        }
    }
    if now == then {
        let functions = Pieces::of(&now).map_or_else(Vec::new, |now| now.functions);
        return Ok(Unit {
            whole: None,
            concerns_others: false,
            functions: functions.into_iter().map(|piece| (piece, false)).collect(),
        });
    }
    let (Some(now), Some(then)) = (Pieces::of(&now), Pieces::of(&then)) else {
        return Ok(Unit::all(format!("{shown} changed")));
    };
    if let Some(name) = now.misses(&then) {
        return Ok(Unit::all(format!("`{name}` is gone from {shown}")));
    }
    if now.between != then.between {
        return Ok(Unit {
            concerns_others: now.has_variables_for_others() || then.has_variables_for_others(),
            ..Unit::all(format!("{shown} changed outside of functions"))
        });
    }
    let before: BTreeSet<_> = then.functions.iter().map(pieces::Piece::meaning).collect();
    let is_changed = |piece: &pieces::Piece| !before.contains(&piece.meaning());
    let functions = now
        .functions
        .iter()
        .map(|piece| (piece.clone(), is_changed(piece)));
    Ok(Unit {
        whole: None,
        concerns_others: false,
        functions: functions.collect(),
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
