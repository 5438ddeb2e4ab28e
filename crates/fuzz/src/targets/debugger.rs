//! The debug adapter: its messages, and the reports that it replays.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use kripke_dap::{Assembly, Check, Host, Incoming, Running, serve};

/// A small report with a call, a lane for a thread, a loop and an instruction.
const REPORT: &str = r#"{"inputs": ["a.c"], "results": [{"property": {"id": "main.assertion.1"},
"trace": {"loop_start": 1, "stack": [], "initial": [["x", {"type_name": "int", "text": "0", "bits": ""}]],
"steps": [
{"place": {"file": "", "line": 0, "column": 0, "function": ""}, "depth": 0, "step": "call",
 "function": "main", "arguments": []},
{"place": {"file": "a.c", "line": 3, "column": 1, "function": "main"}, "depth": 0, "step": "assign",
 "target": "x", "value": {"type_name": "int", "text": "1", "bits": ""}, "storage": "global"},
{"place": {"file": "a.c", "line": 4, "column": 1, "function": "main"}, "depth": 0, "step": "environment",
 "message": "thread 1 begins in f"},
{"place": {"file": "a.c", "line": 9, "column": 1, "function": "f"}, "depth": 0, "step": "instruction",
 "address": "0x0010 <f>", "text": "rcall .+6", "changes": [["r24", "0x01"]]},
{"place": {"file": "a.c", "line": 5, "column": 1, "function": "main"}, "depth": 0, "step": "violation",
 "property": "main.assertion.1", "message": "x == 0"}]}}]}"#;

/// What a client asks of every report.
const SCRIPT: &[&str] = &[
    r#"{"seq": 1, "type": "request", "command": "launch", "arguments": {"report": "r"}}"#,
    r#"{"seq": 2, "type": "request", "command": "setBreakpoints", "arguments":
        {"source": {"path": "/a.c"}, "breakpoints": [{"line": 3, "condition": "x == 1"}]}}"#,
    r#"{"seq": 3, "type": "request", "command": "configurationDone"}"#,
    r#"{"seq": 4, "type": "request", "command": "threads"}"#,
    r#"{"seq": 5, "type": "request", "command": "stackTrace", "arguments": {"threadId": 1}}"#,
    r#"{"seq": 6, "type": "request", "command": "scopes", "arguments": {"frameId": 1}}"#,
    r#"{"seq": 7, "type": "request", "command": "variables", "arguments": {"variablesReference": 1}}"#,
    r#"{"seq": 8, "type": "request", "command": "next"}"#,
    r#"{"seq": 9, "type": "request", "command": "stepOut"}"#,
    r#"{"seq": 10, "type": "request", "command": "continue"}"#,
    r#"{"seq": 11, "type": "request", "command": "stepIn", "arguments": {"granularity": "instruction"}}"#,
    r#"{"seq": 12, "type": "request", "command": "stackTrace", "arguments": {"threadId": 2}}"#,
    r#"{"seq": 13, "type": "request", "command": "evaluate", "arguments": {"expression": "x + 1"}}"#,
    r#"{"seq": 14, "type": "request", "command": "disassemble", "arguments":
        {"memoryReference": "0x10", "instructionOffset": -2, "instructionCount": 4}}"#,
    r#"{"seq": 15, "type": "request", "command": "reverseContinue"}"#,
];

/// A machine that has one file.
struct OneFile(String);

impl Host for OneFile {
    fn read(&self, _path: &Path) -> Result<String, String> {
        Ok(self.0.clone())
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        Path::new("/").join(path)
    }

    fn check(&self, _check: &Check, _tell: Sender<Incoming>) -> Result<Box<dyn Running>, String> {
        Err("nothing is run here".to_owned())
    }

    fn assembly(&self, _program: &Path) -> Option<Vec<Assembly>> {
        None
    }
}

fn session(messages: Vec<u8>, report: &str) -> Vec<u8> {
    let mut said = Vec::new();
    serve(Cursor::new(messages), &mut said, &OneFile(report.to_owned())).expect("a vector takes all");
    said
}

fn framed<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<u8> {
    let messages = lines.map(|line| format!("Content-Length: {}\r\n\r\n{line}", line.len()));
    messages.collect::<String>().into_bytes()
}

/// Messages: as they are, and each line as one with a proper header.
pub fn dap(bytes: &[u8]) {
    session(bytes.to_vec(), REPORT);
    if let Ok(text) = std::str::from_utf8(bytes) {
        session(framed(text.lines()), REPORT);
    }
}

/// A report, which is gone through.
pub fn report(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let said = session(framed(SCRIPT.iter().copied()), text);
    let said = String::from_utf8(said).expect("messages are text");
    let answers = said.matches("\"type\":\"response\"").count();
    assert_eq!(answers, SCRIPT.len(), "each request has one response:\n{said}");
}
