//! The report as JSON, for scripts and other tools.
//!
//! The schema is documented in `docs/json.md` and written down in `docs/report.schema.json`. Invariant:
//! [`VERSION`] grows when a field changes its meaning or goes; new fields may come at any time.

use kripke_model::{FunctionsReport, Outcome, Report};
use serde::{Deserialize, Serialize};

use crate::baseline::{Fingerprint, fingerprints};
use crate::entries::{Checked, Document};

/// Version of the schema.
pub const VERSION: u32 = 2;

/// The parts of a report that is read: one of a check by itself, and one for each check of a project. `P` is
/// what a reader wants of each; all its fields have defaults.
#[derive(Deserialize)]
pub struct Parts<P> {
    #[serde(default = "Vec::new")]
    reports: Vec<P>,
    #[serde(flatten)]
    single: P,
}

impl<P> IntoIterator for Parts<P> {
    type Item = P;
    type IntoIter = std::iter::Chain<std::iter::Once<P>, std::vec::IntoIter<P>>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(self.single).chain(self.reports)
    }
}

#[derive(Serialize)]
struct Single<'r> {
    schema_version: u32,
    tool: Tool<'r>,
    #[serde(flatten)]
    body: Body<'r>,
    fingerprints: Vec<Fingerprint>,
}

#[derive(Serialize)]
struct Whole<'r, R> {
    schema_version: u32,
    tool: Tool<'r>,
    #[serde(flatten)]
    rows: &'r R,
    exit_code: u8,
    reports: Vec<Part<'r>>,
    fingerprints: Vec<Fingerprint>,
}

#[derive(Serialize)]
struct Part<'r> {
    program: &'r str,
    #[serde(flatten)]
    body: Body<'r>,
}

#[derive(Serialize)]
struct Body<'r> {
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

impl<'r> Tool<'r> {
    fn of(document: &Document<'r>) -> Self {
        Tool {
            name: "kripke",
            version: document.tool_version,
        }
    }
}

impl<'r> Body<'r> {
    fn of(checked: &Checked<'r>) -> Self {
        let outcome = checked.report.outcome();
        Body {
            inputs: checked.files,
            outcome,
            exit_code: outcome.exit_code(),
            report: checked.report,
            functions: checked.functions,
        }
    }
}

/// The first check of the document, indented, with a newline at its end.
pub fn render(document: &Document) -> Result<String, serde_json::Error> {
    let empty = Report::default();
    let nothing = Checked {
        program: "",
        files: &[],
        report: &empty,
        functions: None,
        expected: &[],
        surprises: &[],
    };
    let single = Single {
        schema_version: VERSION,
        tool: Tool::of(document),
        body: Body::of(document.checked.first().unwrap_or(&nothing)),
        fingerprints: fingerprints(document),
    };
    Ok(serde_json::to_string_pretty(&single)? + "\n")
}

/// All checks of a project, with the rows of its table.
pub fn render_project<R: Serialize>(
    document: &Document,
    rows: &R,
    exit_code: u8,
) -> Result<String, serde_json::Error> {
    let parts = document.checked.iter().map(|checked| Part {
        program: checked.program,
        body: Body::of(checked),
    });
    let whole = Whole {
        schema_version: VERSION,
        tool: Tool::of(document),
        rows,
        exit_code,
        reports: parts.collect(),
        fingerprints: fingerprints(document),
    };
    Ok(serde_json::to_string_pretty(&whole)? + "\n")
}
