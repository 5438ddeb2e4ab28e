//! Task definition files of SV-COMP (`.yml`, format 2.0): which programs are checked, for what, and with what
//! result.
//!
//! Idea: the file is read event by event into a small tree, as deep as such files are and no deeper; what a
//! check cannot honour is an error, as another data model or language would answer another question.
//!
//! Source: "Task-Definition Format, version 2.0", of the collection sv-benchmarks.

use std::collections::BTreeMap;

use yaml_rust2::parser::{Event, Parser};

/// How deep lists and tables may be in each other.
const DEEPEST: usize = 8;

/// The longest file that is read.
const LONGEST: usize = 1 << 20;

/// A task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The sources, relative to the file's folder.
    pub input_files: Vec<String>,
    /// What is asked of them.
    pub properties: Vec<Asked>,
    /// The sizes of types, if the file says so.
    pub data_model: Option<DataModel>,
}

/// A property of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Its property file, relative to the file's folder.
    pub property_file: String,
    /// Whether it holds, if that is known.
    pub expected_verdict: Option<bool>,
}

/// The sizes of `int`, `long` and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// All of 32 bits.
    Ilp32,
    /// `long` and pointers of 64.
    Lp64,
}

impl DataModel {
    /// The machine of that model for which programs of the collection are written.
    pub fn target(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "i386-linux-gnu",
            DataModel::Lp64 => "x86_64-linux-gnu",
        }
    }
}

/// What YAML is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Scalar(String),
    List(Vec<Value>),
    Table(BTreeMap<String, Value>),
}

/// Reads a task definition.
///
/// # Errors
/// What is wrong with it, or not supported.
pub fn parse(text: &str) -> Result<Task, String> {
    if text.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    let Value::Table(table) = read(text)? else {
        return Err("it is no table of keys: format_version, input_files, properties, options".to_owned());
    };
    let version = table.get("format_version").map(scalar).transpose()?;
    match version {
        Some("1.0" | "2.0" | "2.1") => {}
        Some(other) => return Err(format!("format_version '{other}' is not known (2.0 is)")),
        None => return Err("it has no format_version: it is no task definition of SV-COMP".to_owned()),
    }
    let input_files = match table.get("input_files") {
        Some(Value::List(files)) => files.iter().map(|file| scalar(file).map(str::to_owned)).collect(),
        Some(file) => scalar(file).map(|file| vec![file.to_owned()]),
        None => Ok(Vec::new()),
    }?;
    if input_files.is_empty() {
        return Err("it names no input_files".to_owned());
    }
    let properties = match table.get("properties") {
        Some(Value::List(all)) => all.iter().map(asked).collect::<Result<_, _>>()?,
        Some(_) => return Err("properties is no list".to_owned()),
        None => Vec::new(),
    };
    Ok(Task {
        input_files,
        properties,
        data_model: options(table.get("options"))?,
    })
}

fn scalar(value: &Value) -> Result<&str, String> {
    match value {
        Value::Scalar(text) => Ok(text),
        _ => Err("a text is expected where a list or a table stands".to_owned()),
    }
}

fn asked(value: &Value) -> Result<Asked, String> {
    let Value::Table(table) = value else {
        return Err("a property is no table with property_file and expected_verdict".to_owned());
    };
    let file = table
        .get("property_file")
        .ok_or("a property has no property_file")?;
    let expected_verdict = match table.get("expected_verdict").map(scalar).transpose()? {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(other) => return Err(format!("expected_verdict is '{other}', neither true nor false")),
    };
    Ok(Asked {
        property_file: scalar(file)?.to_owned(),
        expected_verdict,
    })
}

fn options(value: Option<&Value>) -> Result<Option<DataModel>, String> {
    let table = match value {
        None => return Ok(None),
        Some(Value::Table(table)) => table,
        Some(_) => return Err("options is no table".to_owned()),
    };
    match table.get("language").map(scalar).transpose()? {
        None | Some("C") => {}
        Some(other) => return Err(format!("its language is {other}; only C is checked")),
    }
    match table.get("data_model").map(scalar).transpose()? {
        None => Ok(None),
        Some("ILP32") => Ok(Some(DataModel::Ilp32)),
        Some("LP64") => Ok(Some(DataModel::Lp64)),
        Some(other) => Err(format!("its data_model is '{other}'; ILP32 and LP64 are known")),
    }
}

/// A list or table whose end was not read yet.
enum Open {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Table(BTreeMap<String, Value>, Option<String>),
}

/// Reads one document of YAML, without names for parts of it.
fn read(text: &str) -> Result<Value, String> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    let mut document = None;
    loop {
        let (event, mark) = parser.next_token().map_err(|error| error.to_string())?;
        let at_line = |message: &str| format!("line {}: {message}", mark.line());
        let value = match event {
            Event::Scalar(text, ..) => Value::Scalar(text),
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                if open.len() > DEEPEST {
                    return Err(at_line("lists and tables are too deep in each other"));
                }
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Table(BTreeMap::new(), None));
                if open.len() > DEEPEST {
                    return Err(at_line("lists and tables are too deep in each other"));
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(list)) => Value::List(list),
                Some(Open::Table(table, _)) => Value::Table(table),
                None => return Err(at_line("nothing ends here")),
            },
            Event::Alias(_) => return Err(at_line("references to other parts are not supported")),
            Event::DocumentStart if document.is_some() => return Err(at_line("a second document begins")),
            Event::StreamEnd => break,
            _ => continue,
        };
        match open.last_mut() {
            None => document = Some(value),
            Some(Open::List(list)) => list.push(value),
            Some(Open::Table(table, key)) => match key.take() {
                None => *key = Some(scalar(&value).map_err(|error| at_line(&error))?.to_owned()),
                Some(name) => {
                    if table.insert(name.clone(), value).is_some() {
                        return Err(at_line(&format!("'{name}' is there twice")));
                    }
                }
            },
        }
    }
    document.ok_or_else(|| "it is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  \
                        - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\n  \
                        - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn a_task() {
        let task = parse(TASK).expect("a task");
        let files: Vec<&str> = task
            .properties
            .iter()
            .map(|asked| &*asked.property_file)
            .collect();
        assert_eq!(task.input_files, ["a.i"]);
        assert_eq!(files, ["../properties/unreach-call.prp", "no-overflow.prp"]);
        let verdicts: Vec<_> = task
            .properties
            .iter()
            .map(|asked| asked.expected_verdict)
            .collect();
        assert_eq!(verdicts, [Some(true), None]);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        let several = parse(&TASK.replace("'a.i'", "[a.c, b.c]")).expect("a task");
        assert_eq!(several.input_files, ["a.c", "b.c"]);
    }

    #[test]
    fn what_is_refused() {
        let check = |before: &str, after: &str, expected: &str| {
            let text = TASK.replace(before, after);
            let message = parse(&text).expect_err(&text);
            assert!(message.contains(expected), "{message}");
        };
        check("'2.0'", "'3.0'", "format_version '3.0' is not known");
        check("format_version: '2.0'", "other: 1", "no task definition");
        check("language: C", "language: Java", "only C is checked");
        check("ILP32", "LP32", "ILP32 and LP64 are known");
        check("true", "maybe", "neither true nor false");
        check("input_files: 'a.i'", "input_files: []", "names no input_files");
        check("'a.i'", "{ a: b }", "a text is expected");
        check("'a.i'", "[[[[[[[[[a]]]]]]]]]", "too deep");
        check("'a.i'", "&x a.i\nrequired_files: *x", "references");
        check("options:", "input_files: b\noptions:", "twice");
        assert!(parse("").is_err());
        assert!(parse("[").is_err());
    }
}
