//! The report as JSON, for scripts and other tools.
//!
//! The schema is documented in `docs/json.md`. Invariant: [`VERSION`] grows when a field
//! changes its meaning or goes; new fields may come at any time.

use kripke_model::{FunctionsReport, Outcome, Report};
use serde::Serialize;

/// Version of the schema.
pub const VERSION: u32 = 2;

#[derive(Serialize)]
struct Document<'r> {
    schema_version: u32,
    tool: Tool<'r>,
    inputs: &'r [String],
    outcome: Outcome,
    exit_code: u8,
    #[serde(flatten)]
    report: &'r Report,
    #[serde(flatten)]
    functions: Option<&'r FunctionsReport>,
}

#[derive(Serialize)]
struct Tool<'r> {
    name: &'r str,
    version: &'r str,
}

/// The document, indented, with a newline at its end. `inputs` are the files as the user named them.
/// `functions` is there where every function was checked by itself.
pub fn render(
    report: &Report,
    functions: Option<&FunctionsReport>,
    inputs: &[String],
    tool_version: &str,
) -> Result<String, serde_json::Error> {
    let outcome = report.outcome();
    let document = Document {
        schema_version: VERSION,
        tool: Tool {
            name: "kripke",
            version: tool_version,
        },
        inputs,
        outcome,
        exit_code: outcome.exit_code(),
        report,
        functions,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
