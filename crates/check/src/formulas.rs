//! Formulas as the user wrote them, read.
//!
//! Invariant: the names are different, as verdicts are told apart by them.

use kripke_logic::Formula as Tree;

use crate::events::Events;
use crate::failure::Failure;
use crate::job::{Form, Formula};

/// A formula that was read.
pub struct Given {
    pub form: Form,
    /// Where it was written.
    pub place: String,
    /// What it is called.
    pub name: String,
    /// Its text, without the name.
    pub text: String,
    pub formula: Tree,
}

/// Reads formulas. One without a name is called by its form and its number among those of that form.
pub fn read(formulas: &[Formula], events: &mut dyn Events) -> Result<Vec<Given>, Failure> {
    let mut all: Vec<Given> = Vec::new();
    for (index, written) in formulas.iter().enumerate() {
        let earlier = formulas[..index]
            .iter()
            .filter(|other| other.form == written.form);
        let otherwise = format!("{}.{}", written.form.kind().name(), earlier.count() + 1);
        let given = read_one(written, &otherwise, events)?;
        if all.iter().any(|other| other.name == given.name) {
            return Err(Failure::input(format!(
                "{}: two formulas are named '{}'",
                given.place, given.name
            )));
        }
        all.push(given);
    }
    Ok(all)
}

fn read_one(written: &Formula, otherwise: &str, events: &mut dyn Events) -> Result<Given, Failure> {
    let Formula {
        form, place, text, ..
    } = written;
    let named = match &written.name {
        Some(name) => Some((name.clone(), text.trim().to_string())),
        None => split_name(text),
    };
    let (name, text) = named.unwrap_or_else(|| (otherwise.to_string(), text.trim().to_string()));
    let parsed = kripke_logic::parse(&text).map_err(|error| Failure::input(format!("{place}: {error}")))?;
    for warning in &parsed.warnings {
        events.warning(&format!("{place}: warning: {warning}"));
    }
    Ok(Given {
        form: *form,
        place: place.clone(),
        name,
        text,
        formula: parsed.formula,
    })
}

/// Name and formula of `NAME: FORMULA`.
fn split_name(text: &str) -> Option<(String, String)> {
    let (name, formula) = text.split_once(':')?;
    let name = name.trim();
    let first = name.chars().next()?;
    let is_name = (first.is_alphabetic() || first == '_')
        && name
            .chars()
            .all(|character| character.is_alphanumeric() || "_-.".contains(character));
    is_name.then(|| (name.to_string(), formula.trim().to_string()))
}
