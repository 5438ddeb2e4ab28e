//! Device files that say only how a device differs from another one (`like = "atmega328p"`).
//!
//! Idea: the file that is meant is read first, as a table. Single fields of the new file replace those of the
//! other one. A register, a vector or a peripheral of the same name is changed in the fields that are given;
//! one of another name is added. What the device lacks stands in `[without]`.
//!
//! Invariant: nothing is dropped in silence. Every name in `[without]` is there in the other file, circles
//! and unknown files are errors, and the result is looked at like any other device file.

use std::path::Path;

use toml::{Table, Value};

use super::{DeviceError, built_in};

/// The arrays of a device file, and the fields that name an entry; what has none is only added.
const ARRAYS: [(&str, &[&str]); 5] = [
    ("register", &["name"]),
    ("vector", &["name"]),
    ("peripheral", &["kind", "name"]),
    ("timed", &[]),
    ("override", &[]),
];

/// The table that a file means, with what it is like put in. `before` are the files that led to it.
pub(super) fn resolve(mut table: Table, path: &str, before: &mut Vec<String>) -> Result<Table, DeviceError> {
    let inconsistent = |reason: String| DeviceError::Inconsistent {
        path: path.to_owned(),
        reason,
    };
    let without = table.remove("without");
    let Some(like) = table.remove("like") else {
        return match without {
            None => Ok(table),
            Some(_) => Err(inconsistent("`without` needs `like`".to_owned())),
        };
    };
    let Value::String(like) = like else {
        return Err(inconsistent(
            "`like` is not the name of a device or file".to_owned(),
        ));
    };
    let (text, base_path) = base(&like, path)?;
    before.push(path.to_owned());
    if before.contains(&base_path) {
        let way = [&before[..], &[base_path]].concat();
        return Err(DeviceError::Circle { way });
    }
    let base: Table = toml::from_str(&text).map_err(|error| DeviceError::Syntax {
        path: base_path.clone(),
        error: Box::new(error),
    })?;
    let mut result = resolve(base, &base_path, before)?;
    if let Some(without) = without {
        remove(&mut result, &without).map_err(inconsistent)?;
    }
    merge(&mut result, table).map_err(inconsistent)?;
    sort(&mut result, "register", "address");
    sort(&mut result, "vector", "number");
    Ok(result)
}

/// The text of the file that another one is like, and what errors call it.
fn base(like: &str, path: &str) -> Result<(String, String), DeviceError> {
    let unknown = || DeviceError::UnknownBase {
        path: path.to_owned(),
        name: like.to_owned(),
    };
    if let Some((_, file, text)) = built_in::find(like) {
        return Ok((text.to_owned(), format!("{file}.toml")));
    }
    let extension = Path::new(like).extension();
    if extension.is_none_or(|extension| extension != "toml") {
        return Err(unknown());
    }
    let file = Path::new(path).parent().unwrap_or(Path::new("")).join(like);
    let text = std::fs::read_to_string(&file).map_err(|_| unknown())?;
    Ok((text, file.display().to_string()))
}

fn array<'a>(table: &'a mut Table, key: &str) -> Result<&'a mut Vec<Value>, String> {
    let entry = table
        .entry(key.to_owned())
        .or_insert_with(|| Value::Array(Vec::new()));
    entry.as_array_mut().ok_or_else(|| format!("`{key}` is no array"))
}

fn text<'a>(entry: &'a Value, field: &str) -> Option<&'a str> {
    entry.get(field)?.as_str()
}

fn merge(base: &mut Table, changes: Table) -> Result<(), String> {
    for (key, value) in changes {
        let Some((_, names)) = ARRAYS.iter().find(|(array, _)| *array == key) else {
            base.insert(key, value);
            continue;
        };
        let Value::Array(entries) = value else {
            return Err(format!("`{key}` is no array"));
        };
        let known = array(base, &key)?;
        for entry in entries {
            let same = |other: &&mut Value| {
                !names.is_empty() && names.iter().all(|name| text(other, name) == text(&entry, name))
            };
            match (known.iter_mut().find(same), entry) {
                (Some(Value::Table(old)), Value::Table(new)) => old.extend(new),
                (_, entry) => known.push(entry),
            }
        }
    }
    Ok(())
}

/// Takes out what `[without]` names.
fn remove(base: &mut Table, without: &Value) -> Result<(), String> {
    let without = without.as_table().ok_or("`without` is no table")?;
    // Timed sequences are named by bits, which a register may lose.
    let masks: Vec<(String, i64)> = permissions(base);
    for (key, names) in without {
        if !ARRAYS.iter().any(|(array, _)| array == key) {
            return Err(format!("`without.{key}`: no such list"));
        }
        for name in names.as_array().ok_or(format!("`without.{key}` is no array"))? {
            let name = name.as_str().ok_or(format!("`without.{key}` has no names"))?;
            let known = array(base, key)?;
            let before = known.len();
            known.retain(|entry| !is_meant(entry, key, name, &masks));
            if known.len() == before {
                return Err(format!("`without.{key}` names {name}, which is not there"));
            }
        }
    }
    Ok(())
}

/// Whether an entry is the one that `[without]` names: a register or vector by its name, a peripheral as
/// `KIND NAME`, a timed sequence as `REGISTER.BIT` of its permission, an override as `PIN REGISTER`.
fn is_meant(entry: &Value, key: &str, name: &str, masks: &[(String, i64)]) -> bool {
    let pair = name.split_once(' ');
    match key {
        "peripheral" => pair == text(entry, "kind").zip(text(entry, "name")),
        "timed" => {
            let register = name.split_once('.').map(|(register, _)| register);
            let mask = masks.iter().find(|(bit, _)| bit == name).map(|(_, mask)| *mask);
            let permission = entry.get("permission").and_then(Value::as_integer);
            mask.is_some() && register == text(entry, "register") && permission == mask
        }
        "override" => pair.is_some_and(|(pin, register)| {
            let bits = entry.get("enabled_by").and_then(Value::as_array);
            let of_register = |bit: &Value| {
                let bit = bit.as_str().and_then(|bit| bit.split_once('.'));
                bit.is_some_and(|(of, _)| of == register)
            };
            text(entry, "pin") == Some(pin) && bits.is_some_and(|bits| bits.iter().any(of_register))
        }),
        _ => text(entry, "name") == Some(name),
    }
}

/// The masks of all named bits, as `REGISTER.BIT`.
fn permissions(table: &Table) -> Vec<(String, i64)> {
    let registers = table.get("register").and_then(Value::as_array);
    let registers = registers.into_iter().flatten();
    registers
        .filter_map(|register| Some((text(register, "name")?, register.get("bits")?.as_table()?)))
        .flat_map(|(register, bits)| {
            bits.iter().filter_map(move |(bit, position)| {
                let position = u32::try_from(position.as_integer()?).ok()?;
                Some((format!("{register}.{bit}"), 1_i64.checked_shl(position)?))
            })
        })
        .collect()
}

fn sort(table: &mut Table, key: &str, field: &str) {
    if let Some(Value::Array(entries)) = table.get_mut(key) {
        entries.sort_by_key(|entry| entry.get(field).and_then(Value::as_integer));
    }
}
