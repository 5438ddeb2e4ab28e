//! What a job names of a program: properties and loops.
//!
//! Invariant: a name that the program does not have is an error, as it would silently do nothing.

use kripke_elts::{Id, IdVec, Program, PropertyId};
use kripke_model::Property;

use crate::checks::closest;
use crate::failure::Failure;

/// The properties with these ids; none where no id is given, which means all.
pub fn properties(
    properties: &IdVec<PropertyId, Property>,
    ids: &[String],
) -> Result<Option<Vec<PropertyId>>, Failure> {
    let find = |id: &String| {
        let found = properties.enumerate().find(|(_, property)| property.id == *id);
        found.map(|(property, _)| property).ok_or_else(|| {
            let hint = did_you_mean(id, properties.iter().map(|property| property.id.as_str()));
            Failure::input(format!(
                "--property: there is no property '{id}'; {hint}--list-properties shows all"
            ))
        })
    };
    let mut selected = ids
        .iter()
        .map(find)
        .collect::<Result<Vec<PropertyId>, Failure>>()?;
    selected.sort_unstable_by_key(|property| property.index());
    selected.dedup();
    Ok((!selected.is_empty()).then_some(selected))
}

/// Whether all loops that have a bound exist.
pub fn known_loops(program: &Program, bounds: &[(String, u32)]) -> Result<(), Failure> {
    if bounds.is_empty() {
        return Ok(());
    }
    let loops = kripke_bmc::loops(program);
    let exists = |name: &String| loops.iter().any(|found| found.is_named(name));
    match bounds.iter().find(|(name, _)| !exists(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let hint = did_you_mean(name, loops.iter().map(|found| found.name.as_str()));
            Err(Failure::input(format!(
                "--unwindset: there is no loop '{name}'; {hint}--list-loops shows all"
            )))
        }
    }
}

fn did_you_mean<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> String {
    let near = closest(name, candidates);
    near.map_or_else(String::new, |near| format!("did you mean '{near}'? "))
}
