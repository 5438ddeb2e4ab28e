//! Messages for the debug adapter, and reports.

/// Requests, one a line.
pub fn messages() -> Vec<Vec<u8>> {
    let lines = r#"{"seq": 1, "type": "request", "command": "initialize", "arguments": {"linesStartAt1": true}}
{"seq": 2, "type": "request", "command": "launch", "arguments": {"report": "report.json", "property": "1"}}
{"seq": 3, "type": "request", "command": "setFunctionBreakpoints", "arguments": {"breakpoints": [{"name": "main"}]}}
{"seq": 4, "type": "request", "command": "dataBreakpointInfo", "arguments": {"name": "x"}}
{"seq": 5, "type": "request", "command": "setDataBreakpoints", "arguments": {"breakpoints": [{"dataId": "\nx"}]}}
{"seq": 6, "type": "request", "command": "setExceptionBreakpoints", "arguments": {"filters": ["violation"]}}
{"seq": 7, "type": "request", "command": "configurationDone"}
{"seq": 8, "type": "request", "command": "stackTrace", "arguments": {"threadId": 1, "startFrame": 0, "levels": 20}}
{"seq": 9, "type": "request", "command": "evaluate", "arguments": {"expression": "x[1].y + (2 << 3) ? -1 : ~0"}}
{"seq": 10, "type": "request", "command": "gotoTargets", "arguments": {"source": {"path": "/a.c"}, "line": 3}}
{"seq": 11, "type": "request", "command": "disassemble", "arguments": {"memoryReference": "0x0010", "instructionCount": 8}}
{"seq": 12, "type": "request", "command": "stepBack"}
{"seq": 13, "type": "request", "command": "disconnect"}"#;
    let first = lines.lines().next().unwrap_or_default();
    vec![
        lines.as_bytes().to_vec(),
        format!("Content-Length: {}\r\n\r\n{first}", first.len()).into_bytes(),
    ]
}

/// A report of a program and one of a firmware.
pub fn reports() -> Vec<Vec<u8>> {
    let place = |line: u32, function: &str| {
        format!(r#""place": {{"file": "a.c", "line": {line}, "column": 5, "function": "{function}"}}"#)
    };
    let value = r#"{"type_name": "int", "text": "30 (0x1e)", "bits": "0x0000001e"}"#;
    let (main, f) = (place(3, "main"), place(9, "f"));
    let program = format!(
        r#"{{"inputs": ["a.c"], "results": [{{"property": {{"id": "main.assertion.1", "kind": "assertion"}},
"trace": {{"loop_start": 2, "stack": [], "initial": [["a[0].x", {value}]], "steps": [
{{{main}, "depth": 0, "step": "call", "function": "f", "arguments": [["n", {value}]]}},
{{{f}, "depth": 1, "step": "assign", "target": "a[0].x", "value": {value}, "storage": "heap"}},
{{{f}, "depth": 1, "step": "environment", "message": "interrupted here by tick"}},
{{{f}, "depth": 1, "step": "call", "function": "tick", "arguments": []}},
{{{f}, "depth": 1, "step": "return", "function": "f", "value": null}},
{{{main}, "depth": 0, "step": "letter", "number": 1, "atoms": [["x == 1", true]], "state": "s", "value": "holds"}},
{{{main}, "depth": 0, "step": "end", "message": "round and round"}}]}}}}]}}"#
    );
    let firmware = format!(
        r#"{{"reports": [{{"program": "p", "inputs": ["a.elf"], "results": [{{"property": {{"id": "invariant.1"}},
"trace": {{"loop_start": null, "stack": [], "steps": [
{{{main}, "depth": 0, "step": "instruction", "address": "0x0010 <main+0x2>", "text": "call 0x20", "changes": []}},
{{{main}, "depth": 0, "step": "environment", "message": "INT0 arrives"}},
{{{f}, "depth": 1, "step": "instruction", "address": "0x0020 <f>", "text": "reti",
 "changes": [["PORTB", "0x01"], ["i", "30 (0x1e)"], ["{{i <= 30}}", "true"]]}},
{{{main}, "depth": 0, "step": "violation", "property": "invariant.1", "message": "false"}}]}}}}]}}]}}"#
    );
    vec![program.into_bytes(), firmware.into_bytes()]
}
