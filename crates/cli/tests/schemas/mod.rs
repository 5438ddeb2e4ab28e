//! The schemas that others wrote: SARIF 2.1.0 as OASIS publishes it, and the schema of JUnit reports that
//! Jenkins reads.
//!
//! They lie in the sources of two crates that kripke-cli names as dependencies for no platform: Cargo keeps
//! their versions and checksums and fetches them, and compiles nothing of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// The folder of a crate's sources.
fn sources(name: &str) -> PathBuf {
    static METADATA: OnceLock<Value> = OnceLock::new();
    let metadata = METADATA.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("JSON")
    });
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == name);
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let folder = Path::new(manifest.expect("a package of that name")).parent();
    folder.expect("a folder").to_path_buf()
}

/// Fails where a log is none that the standard allows.
pub fn check_sarif(log: &Value) {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let text =
            std::fs::read_to_string(sources("serde-sarif").join("src/schema.json")).expect("the schema");
        // In the pattern of languages a bracket is missing, so that it is no regular expression.
        let schema: Value = serde_json::from_str(&text.replace("{2}]?$", "{2}?$")).expect("JSON");
        assert!(
            schema["title"]
                .as_str()
                .is_some_and(|title| title.contains("SARIF) Version 2.1.0"))
        );
        jsonschema::validator_for(&schema).expect("a schema")
    });
    let mistakes: Vec<String> = schema
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

const SKIPPED: &str = r#"<xs:element name="skipped" type="xs:string"/>"#;
const SKIPPED_SINCE: &str = r#"<xs:element name="skipped" type="reason"/>"#;
const REASON: &str = r#"
<xs:complexType name="reason" mixed="true">
  <xs:attribute name="message" type="xs:string"/>
  <xs:attribute name="type" type="xs:string"/>
</xs:complexType>"#;

/// Fails where a report is none that readers of JUnit expect.
pub fn check_junit(report: &Path) {
    let text = std::fs::read_to_string(sources("junit-report").join("tests/JUnit.xsd")).expect("the schema");
    // The version of 2010: since then (`junit-10.xsd`) a skipped test says why, as one that failed does.
    let text = text.replace(SKIPPED, &format!("{SKIPPED_SINCE}{REASON}"));
    assert!(text.contains(REASON));
    let folder = tempfile::TempDir::new().expect("a folder");
    let schema = folder.path().join("junit.xsd");
    std::fs::write(&schema, text).expect("written");
    let output = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema"])
        .arg(schema)
        .arg(report)
        .output()
        .expect("xmllint");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_schemas_refuse_what_is_wrong() {
    let log = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]});
    assert!(std::panic::catch_unwind(|| check_sarif(&log)).is_err());
    let folder = tempfile::TempDir::new().expect("a folder");
    let report = folder.path().join("wrong.xml");
    std::fs::write(&report, "<testsuites><testcase name=\"x\"/></testsuites>").expect("written");
    assert!(std::panic::catch_unwind(|| check_junit(&report)).is_err());
}
