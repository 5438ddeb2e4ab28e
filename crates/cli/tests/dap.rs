//! `kripke dap` with a client that plays whole sessions: a C program, threads, a run that goes on for ever,
//! a firmware with an interrupt, a check from the editor, and clients that send rubbish.

mod common;

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use common::{compile, folder, kripke};
use serde_json::{Value, json};

fn root() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    path.canonicalize().expect("the workspace")
}

/// A client.
struct Client {
    adapter: Child,
    output: BufReader<ChildStdout>,
    seq: i64,
    events: VecDeque<Value>,
}

/// Where the run stopped: why, and the calls as `function:line`, innermost first.
#[derive(Debug, PartialEq)]
struct Stopped {
    reason: String,
    calls: String,
    frame: Value,
}

impl Client {
    fn new() -> Self {
        let mut adapter = Command::new(env!("CARGO_BIN_EXE_kripke"))
            .arg("dap")
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("kripke runs");
        let output = BufReader::new(adapter.stdout.take().expect("a pipe"));
        Client {
            adapter,
            output,
            seq: 0,
            events: VecDeque::new(),
        }
    }

    fn send(&mut self, bytes: &str) {
        let input = self.adapter.stdin.as_mut().expect("a pipe");
        input.write_all(bytes.as_bytes()).expect("the adapter listens");
        input.flush().expect("the adapter listens");
    }

    fn message(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("text");
            assert!(read > 0, "the adapter is gone");
            match line.trim_end() {
                "" => break,
                line => {
                    length = line
                        .rsplit(' ')
                        .next()
                        .and_then(|text| text.parse().ok())
                        .expect("a length")
                }
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// The response to a request, whole.
    fn response(&mut self, command: &str, arguments: Value) -> Value {
        self.seq += 1;
        let request = json!({"seq": self.seq, "type": "request", "command": command, "arguments": arguments});
        let text = request.to_string();
        self.send(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
        loop {
            let message = self.message();
            if message["type"] == "response" {
                assert_eq!(
                    (&message["request_seq"], &message["command"]),
                    (&json!(self.seq), &json!(command))
                );
                return message;
            }
            self.events.push_back(message);
        }
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    fn refused(&mut self, command: &str, arguments: Value, expected: &str) {
        let response = self.response(command, arguments);
        let message = response["message"].as_str().unwrap_or_default();
        assert!(
            response["success"] == false && message.contains(expected),
            "{response}"
        );
    }

    /// The next event of that name, and all that was said before it.
    fn event(&mut self, name: &str) -> (Value, String) {
        let mut said = String::new();
        loop {
            let event = match self.events.pop_front() {
                Some(event) => event,
                None => self.message(),
            };
            if event["event"] == name {
                return (event["body"].clone(), said);
            }
            said += event["body"]["output"].as_str().unwrap_or_default();
        }
    }

    fn stopped(&mut self) -> Stopped {
        let (body, _) = self.event("stopped");
        let stack = self.ask("stackTrace", json!({"threadId": body["threadId"]}));
        let frames = stack["stackFrames"].as_array().expect("frames");
        let calls = frames
            .iter()
            .map(|frame| format!("{}:{}", frame["name"].as_str().expect("a name"), frame["line"]));
        Stopped {
            reason: body["reason"].as_str().expect("a reason").to_owned(),
            calls: calls.collect::<Vec<String>>().join(" "),
            frame: frames[0].clone(),
        }
    }

    /// Moves, and says where the run stands then.
    fn go(&mut self, command: &str) -> Stopped {
        self.ask(command, json!({"threadId": 1}));
        self.stopped()
    }

    fn check(&mut self, motions: &[(&str, &str, &str)]) {
        for (command, reason, calls) in motions {
            let stopped = self.go(command);
            assert_eq!(
                (stopped.reason.as_str(), stopped.calls.as_str()),
                (*reason, *calls),
                "{command}"
            );
        }
    }

    fn launch(&mut self, arguments: Value) {
        let capabilities = self.ask(
            "initialize",
            json!({"adapterID": "kripke", "supportsProgressReporting": true}),
        );
        assert_eq!(capabilities["supportsStepBack"], true);
        self.ask("launch", arguments);
        self.event("initialized");
    }

    fn begin(&mut self, calls: &str) {
        self.ask("setExceptionBreakpoints", json!({"filters": ["violation"]}));
        self.ask("configurationDone", json!({}));
        let stopped = self.stopped();
        assert_eq!(
            (stopped.reason.as_str(), stopped.calls.as_str()),
            ("entry", calls)
        );
    }

    /// The variables of a scope of the innermost call, as `name=value`.
    fn scope(&mut self, name: &str) -> String {
        let lane = self.ask("threads", json!({}));
        let lane = lane["threads"]
            .as_array()
            .and_then(|all| all.last())
            .expect("a thread")["id"]
            .clone();
        let stack = self.ask("stackTrace", json!({"threadId": lane}));
        let scopes = self.ask("scopes", json!({"frameId": stack["stackFrames"][0]["id"]}));
        let scope = scopes["scopes"]
            .as_array()
            .expect("scopes")
            .iter()
            .find(|scope| scope["name"] == name);
        match scope {
            Some(scope) => self.variables(&scope["variablesReference"]),
            None => String::new(),
        }
    }

    fn variables(&mut self, reference: &Value) -> String {
        let body = self.ask("variables", json!({"variablesReference": reference}));
        let all = body["variables"].as_array().expect("variables").iter();
        let all = all.map(|one| {
            format!(
                "{}={}",
                one["name"].as_str().unwrap_or("?"),
                one["value"].as_str().unwrap_or("?")
            )
        });
        all.collect::<Vec<String>>().join(" ")
    }

    fn evaluate(&mut self, expression: &str) -> Value {
        self.ask("evaluate", json!({"expression": expression, "context": "watch"}))
    }

    fn finish(mut self) {
        self.ask("disconnect", json!({}));
        assert!(self.adapter.wait().expect("it ends").success());
    }
}

/// The report of a check of an example, which is violated.
fn report(name: &str, arguments: &[&str]) -> String {
    let path = folder("dap").join(name);
    let file = path.to_string_lossy().into_owned();
    let output = kripke(
        &[&["check", "--quiet", "--json", &file], arguments].concat(),
        &root(),
    );
    assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
    file
}

#[test]
fn a_c_program_is_replayed_both_ways() {
    let report = report("ring_buffer.json", &["examples/ring_buffer.c"]);
    let source = root().join("examples/ring_buffer.c");
    let mut client = Client::new();
    client.refused("threads", json!({}), "there is no counterexample yet");
    client.launch(json!({"report": report}));
    let wanted = json!([{"line": 24, "condition": "ring.tail == 1"}, {"line": 3}]);
    let set = client.ask(
        "setBreakpoints",
        json!({"source": {"path": source}, "breakpoints": wanted}),
    );
    assert_eq!(set["breakpoints"][0]["verified"], true);
    assert_eq!(set["breakpoints"][1]["verified"], false);
    let set = client.ask(
        "setFunctionBreakpoints",
        json!({"breakpoints": [{"name": "ring_get"}]}),
    );
    assert_eq!(set["breakpoints"][0]["verified"], true);
    client.begin("main:38");
    client.check(&[
        ("next", "step", "main:40"),
        ("stepIn", "step", "main:43"),
        ("stepIn", "function breakpoint", "ring_get:29 main:43"),
        ("stepOut", "step", "main:38"),
        ("stepBack", "function breakpoint", "ring_get:29 main:43"),
        ("stepBack", "step", "main:43"),
    ]);
    client.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    client.check(&[("continue", "breakpoint", "ring_put:24 main:41")]);
    assert!(
        client.scope("Globals").contains("ring={"),
        "a structure has a summary"
    );
    assert_eq!(client.evaluate("ring.tail + 1")["result"], "2");
    let scopes = client.evaluate("ring.data[0] == 0 && next > 0");
    assert_eq!(scopes["result"], "1");
    client.refused(
        "evaluate",
        json!({"expression": "nothing"}),
        "tells nothing of `nothing`",
    );
    client.refused(
        "variables",
        json!({"variablesReference": 99}),
        "there are no variables 99",
    );
    let data = client.ask("dataBreakpointInfo", json!({"name": "ring.head"}));
    client.ask(
        "setBreakpoints",
        json!({"source": {"path": source}, "breakpoints": []}),
    );
    client.ask(
        "setDataBreakpoints",
        json!({"breakpoints": [{"dataId": data["dataId"]}]}),
    );
    let changed = client.go("continue");
    assert_eq!(changed.reason, "data breakpoint");
    assert!(client.scope("Globals").contains("ring={"));
    client.ask("setDataBreakpoints", json!({"breakpoints": []}));
    client.check(&[("continue", "exception", "ring_put:23 main:41")]);
    let violation = client.ask("exceptionInfo", json!({"threadId": 1}));
    assert_eq!(violation["exceptionId"], "ring_put.bounds.1");
    client.check(&[
        ("continue", "exception", "ring_put:23 main:41"),
        ("reverseContinue", "entry", "main:38"),
    ]);
    let sources = client.ask("loadedSources", json!({}));
    assert_eq!(sources["sources"][0]["path"], json!(source));
    let targets = client.ask("gotoTargets", json!({"source": {"path": source}, "line": 23}));
    let target = targets["targets"]
        .as_array()
        .and_then(|all| all.last())
        .expect("a target")["id"]
        .clone();
    client.ask("goto", json!({"threadId": 1, "targetId": target}));
    assert_eq!(client.stopped().calls, "ring_put:23 main:41");
    client.refused(
        "source",
        json!({"source": {"path": "/etc/passwd"}}),
        "does not name",
    );
    client.refused("frobnicate", json!({}), "is not supported");
    client.finish();
}

#[test]
fn threads_have_stacks_of_their_own() {
    let report = report("lost_update.json", &["examples/lost_update.c"]);
    let mut client = Client::new();
    client.launch(json!({"report": report}));
    client.begin("receiver:8");
    client.check(&[
        ("stepIn", "step", "receiver:8"),
        ("stepIn", "step", "receiver:13"),
    ]);
    let threads = client.ask("threads", json!({}));
    let names: Vec<&str> = threads["threads"]
        .as_array()
        .expect("threads")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["main", "thread 1 (receiver)", "thread 2 (receiver)"]);
    let other = client.ask("stackTrace", json!({"threadId": 3}));
    assert_eq!(
        (&other["stackFrames"][0]["line"], &other["totalFrames"]),
        (&json!(13), &json!(1))
    );
    client.refused("stackTrace", json!({"threadId": 4}), "there is no thread 4");
    // Without the lock both write 1.
    client.check(&[("stepIn", "step", "receiver:13")]);
    assert_eq!(client.scope("Globals"), "packets=1 ← 0");
    client.check(&[("stepIn", "exception", "main:27")]);
    assert_eq!(client.scope("Globals"), "packets=1");
    client.finish();
}

#[test]
fn a_lasso_goes_round() {
    let formula = "G({wants[1]} -> F {owner == 1})";
    let report = report(
        "starving.json",
        &["examples/ltl-more/starving.c", "--ltl", formula],
    );
    let mut client = Client::new();
    client.launch(json!({"report": report}));
    client.begin("main:20");
    let end = client.go("continue");
    assert_eq!(end.reason, "exception");
    assert_eq!(
        client.ask("exceptionInfo", json!({}))["details"]["typeName"],
        "ltl"
    );
    client.ask("stepIn", json!({"threadId": 1}));
    let (_, said) = client.event("stopped");
    assert!(
        said.contains("Round 2: the run goes on at the start of its loop"),
        "{said}"
    );
    assert_eq!(client.scope("Formula"), "wants[1]=true owner == 1=false");
    assert_eq!(client.go("continue").calls, end.calls);
    client.check(&[("reverseContinue", "entry", "main:20")]);
    client.finish();
}

#[test]
fn a_firmware_is_checked_and_replayed_with_its_interrupts() {
    let text = std::fs::read_to_string(root().join("examples/avr/reentrance/reentrance.c"));
    let folder = compile(&text.expect("an example"), &["-g"]);
    let (program, source) = (folder.path().join("a.elf"), folder.path().join("a.c"));
    let mut client = Client::new();
    let options = ["--mcu", "atmega16", "--check", "none"];
    client.launch(json!({"program": program, "invariant": "{i <= 30}", "args": options}));
    client.ask(
        "setBreakpoints",
        json!({"source": {"path": source}, "breakpoints": [{"line": 17}]}),
    );
    let wanted = json!({"breakpoints": [{"instructionReference": "0x7c"}, {"instructionReference": "x"}]});
    let set = client.ask("setInstructionBreakpoints", wanted);
    assert_eq!(
        (
            &set["breakpoints"][0]["verified"],
            &set["breakpoints"][1]["verified"]
        ),
        (&json!(true), &json!(false))
    );
    client.ask("configurationDone", json!({}));
    assert!(client.stopped().calls.starts_with("main:23 "));
    let handler = client.go("continue");
    assert_eq!(
        (handler.reason.as_str(), handler.calls.as_str()),
        ("instruction breakpoint", "__vector_1:14")
    );
    assert_eq!(handler.frame["instructionPointerReference"], "0x007c");
    client.ask("setInstructionBreakpoints", json!({"breakpoints": []}));
    client.check(&[("continue", "breakpoint", "__vector_1:17")]);
    assert!(client.scope("I/O registers").contains("PORTB=0x01"));
    assert!(client.scope("Registers").contains("r24=0x01"));
    let back = client.go("stepOut");
    assert!(back.calls.starts_with("main:32 "), "{back:?}");
    client.ask("stepIn", json!({"threadId": 1, "granularity": "instruction"}));
    let next = client.stopped();
    assert_eq!(next.frame["instructionPointerReference"], "0x00ba", "{next:?}");
    let wanted = json!({"memoryReference": "0x00c2", "instructionOffset": -1, "instructionCount": 3});
    let listing = client.ask("disassemble", wanted);
    let texts: Vec<&str> = listing["instructions"]
        .as_array()
        .expect("instructions")
        .iter()
        .filter_map(|one| one["instruction"].as_str())
        .collect();
    assert_eq!(texts, ["brcc .+12", "lds r24, 0x0060", "subi r24, 0xFF"]);
    let data = client.ask("dataBreakpointInfo", json!({"name": "i"}));
    let wanted = json!({"breakpoints": [{"dataId": data["dataId"], "condition": "i == 30"}]});
    client.ask("setDataBreakpoints", wanted);
    client.ask(
        "setBreakpoints",
        json!({"source": {"path": source}, "breakpoints": []}),
    );
    assert_eq!(client.go("continue").reason, "data breakpoint");
    client.ask(
        "setExceptionBreakpoints",
        json!({"filters": ["violation", "atom"]}),
    );
    let flipped = client.go("continue");
    assert!(flipped.calls.starts_with("main:32 "), "{flipped:?}");
    assert_eq!(client.scope("Formula"), "{i <= 30}=false ← true");
    client.finish();
}

#[test]
fn what_cannot_be_replayed_is_told() {
    let check = |arguments: Value, expected: &str| {
        let mut client = Client::new();
        client.refused("launch", arguments, expected);
        client.event("terminated");
        client.finish();
    };
    check(json!({"report": "nowhere.json"}), "cannot read nowhere.json");
    check(json!({"report": "Cargo.toml"}), "this is no JSON report");
    check(json!({"program": "nowhere.c"}), "nowhere.c");
    check(json!({"program": "examples/event_log.c"}), "nothing is violated");
    let mut client = Client::new();
    client.refused("launch", json!({}), "say what to replay");
    client.refused("launch", json!({"report": 3}), "the arguments are not understood");
    client.finish();
}

#[test]
fn a_check_can_be_cancelled() {
    let mut client = Client::new();
    let folder = folder("dap");
    let program = "int main(void) { unsigned a = 0, x = __VERIFIER_nondet_uint(); for (;;) a = a * a + x; }";
    let program = format!("unsigned __VERIFIER_nondet_uint(void);\n{program}\n");
    std::fs::write(folder.join("endless.c"), program).expect("a file");
    client.ask("initialize", json!({"supportsProgressReporting": true}));
    let launch = json!({"seq": 2, "type": "request", "command": "launch", "arguments":
        {"program": "endless.c", "cwd": folder, "ltl": "F {0}", "args": ["--unwind", "100000000"]}});
    let text = launch.to_string();
    client.seq = 2;
    client.send(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    client.event("progressStart");
    client.ask("cancel", json!({"progressId": "check"}));
    client.event("progressEnd");
    let response = loop {
        let message = client.message();
        if message["type"] == "response" {
            break message;
        }
    };
    assert_eq!(
        (&response["request_seq"], &response["success"]),
        (&json!(2), &json!(false))
    );
    client.finish();
}

#[test]
fn rubbish_is_refused() {
    let mut client = Client::new();
    client.send("Content-Length: 4\r\n\r\n{]}\n");
    assert!(
        client.message()["message"]
            .as_str()
            .unwrap_or_default()
            .contains("no JSON")
    );
    client.send("Content-Length: 16\r\n\r\n{\"type\":\"event\"}");
    assert_eq!(client.message()["success"], false);
    client.ask("initialize", json!({}));
    client.send("Content-Length: 99999999999\r\n\r\n");
    assert!(
        client.message()["message"]
            .as_str()
            .unwrap_or_default()
            .contains("the longest message")
    );
    client.event("terminated");
    assert!(client.adapter.wait().expect("it ends").success());
}
