//! The arguments of the requests that are understood, as the protocol writes them.
//!
//! Invariant: every field that the protocol calls optional is, and unknown ones are ignored.

#![allow(missing_docs, reason = "the fields are the protocol's")]

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Reads the arguments of a request.
pub fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, String> {
    let arguments = match arguments {
        Value::Null => json!({}),
        arguments => arguments.clone(),
    };
    serde_json::from_value(arguments).map_err(|error| format!("the arguments are not understood: {error}"))
}

/// `initialize`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Client {
    pub lines_start_at1: bool,
    pub columns_start_at1: bool,
    pub supports_progress_reporting: bool,
}

impl Default for Client {
    fn default() -> Self {
        Client {
            lines_start_at1: true,
            columns_start_at1: true,
            supports_progress_reporting: false,
        }
    }
}

/// A file as clients and adapters name it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Source {
    pub path: Option<String>,
    pub name: Option<String>,
}

/// A breakpoint of any kind; each uses its own fields.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Wanted {
    pub line: i64,
    pub name: String,
    pub instruction_reference: String,
    pub offset: i64,
    pub data_id: String,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log_message: Option<String>,
}

/// `setBreakpoints` and those like it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SetBreakpoints {
    pub source: Source,
    pub breakpoints: Vec<Wanted>,
    pub filters: Vec<String>,
}

/// `next`, `stepIn`, `stepOut`, `stepBack`, `continue`, `reverseContinue`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Motion {
    pub granularity: Option<String>,
}

/// `stackTrace`, `scopes`, `variables`, `evaluate`, `dataBreakpointInfo`, `goto`, `gotoTargets`, `source`,
/// `cancel`: what they ask about.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct About {
    pub thread_id: i64,
    pub frame_id: Option<i64>,
    pub start_frame: Option<usize>,
    pub levels: Option<usize>,
    pub variables_reference: Option<i64>,
    pub start: Option<usize>,
    pub count: Option<usize>,
    pub expression: String,
    pub name: String,
    pub source: Source,
    pub line: i64,
    pub target_id: i64,
}

/// `disassemble`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Disassemble {
    pub memory_reference: String,
    pub offset: i64,
    pub instruction_offset: i64,
    pub instruction_count: usize,
}

/// An address as clients repeat it: hexadecimal, or decimal.
pub fn address(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A filter of exceptions.
fn filter(name: &str, label: &str, description: &str, is_default: bool) -> Value {
    json!({"filter": name, "label": label, "description": description, "default": is_default})
}

/// What the adapter can do.
pub fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsTerminateRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsDataBreakpoints": true,
        "supportsDisassembleRequest": true,
        "supportsInstructionBreakpoints": true,
        "supportsSteppingGranularity": true,
        "supportsCancelRequest": true,
        "exceptionBreakpointFilters": [
            filter("violation", "Violation", "Stop where the property is violated", true),
            filter("interrupt", "Interrupts", "Stop where an interrupt arrives", false),
            filter("thread", "Switches of threads", "Stop where another thread goes on", false),
            filter("atom", "Atoms", "Stop where an atom of the formula becomes true or false", false),
        ],
    })
}
