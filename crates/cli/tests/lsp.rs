//! `kripke lsp` with a client of the protocol: diagnostics, verdicts above functions, what a finding means,
//! commands, progress, and messages that are wrong.

mod common;

use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use common::folder_with as folder;
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};

const SOURCE: &str = "\
char data[4];
void put(unsigned place, char value) {
    data[place & 7] = value;
}
char get(unsigned place) {
    return data[place & 3];
}
";

/// An editor.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    sent: i32,
    /// What was shown while something else was waited for.
    notes: Vec<Notification>,
}

impl Client {
    fn start(folder: &Path, options: &Value) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kripke"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("kripke");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Client {
            child,
            input,
            output,
            sent: 0,
            notes: Vec::new(),
        };
        let capabilities = client.ask(
            "initialize",
            json!({
                "processId": null,
                "capabilities": {
                    "window": { "workDoneProgress": true },
                    "workspace": { "codeLens": { "refreshSupport": true } },
                },
                "workspaceFolders": [{ "uri": address(folder), "name": "test" }],
                "initializationOptions": options,
            }),
        );
        assert_eq!(
            capabilities.expect("capabilities")["capabilities"]["hoverProvider"],
            true
        );
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: impl Into<Message>) {
        let message: Message = message.into();
        message.write(&mut self.input).expect("sent");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params));
    }

    /// The next message that is no request of the server, which is answered.
    fn next(&mut self) -> Message {
        loop {
            match Message::read(&mut self.output)
                .expect("a message")
                .expect("no end")
            {
                Message::Request(request) => self.send(Response::new_ok(request.id, Value::Null)),
                other => return other,
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.sent += 1;
        self.send(Request::new(self.sent.into(), method.to_owned(), params));
        loop {
            match self.next() {
                Message::Notification(note) => self.notes.push(note),
                Message::Response(response) => {
                    let response = serde_json::to_value(response).expect("JSON");
                    return match response.get("error") {
                        Some(error) => Err(error["message"].as_str().expect("a text").to_owned()),
                        None => Ok(response["result"].clone()),
                    };
                }
                Message::Request(_) => unreachable!("answered"),
            }
        }
    }

    /// The next notification of a method.
    fn note(&mut self, method: &str) -> Value {
        if let Some(found) = self.notes.iter().position(|note| note.method == method) {
            return self.notes.remove(found).params;
        }
        loop {
            match self.next() {
                Message::Notification(note) if note.method == method => return note.params,
                Message::Notification(note) => self.notes.push(note),
                _ => {}
            }
        }
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        assert!(self.child.wait().expect("an end").success());
    }
}

fn address(path: &Path) -> String {
    format!("file://{}", path.canonicalize().expect("a path").display())
}

fn lens_titles(client: &mut Client, file: &str) -> Vec<String> {
    let lenses = client.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": file } }),
    );
    let lenses = lenses.expect("lenses");
    let titles = lenses.as_array().expect("an array").iter();
    titles
        .map(|lens| lens["command"]["title"].as_str().expect("a title").to_owned())
        .collect()
}

#[test]
fn a_file_is_checked_when_it_is_saved_and_what_was_mended_goes() {
    let folder = folder(&[("ring.c", SOURCE)]);
    let path = folder.path().join("ring.c");
    let file = address(&path);
    let mut client = Client::start(folder.path(), &Value::Null);
    assert_eq!(lens_titles(&mut client, &file), ["Kripke: check this file"]);
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert_eq!(
        client.note("$/progress")["value"]["title"],
        "Kripke checks ring.c"
    );
    let shown = client.note("textDocument/publishDiagnostics");
    assert_eq!(shown["uri"], file);
    let all = shown["diagnostics"].as_array().expect("an array");
    assert_eq!(all.len(), 1, "{shown}");
    assert_eq!(
        (&all[0]["severity"], &all[0]["code"]),
        (&json!(1), &json!("bounds"))
    );
    assert_eq!(all[0]["range"]["start"]["line"], 2);
    let steps = all[0]["relatedInformation"].as_array().expect("steps");
    assert!(steps.iter().any(|step| {
        step["message"]
            .as_str()
            .is_some_and(|text| text.contains("place = "))
    }));
    assert!(
        steps.iter().all(|step| step["location"]["uri"] == file),
        "{shown}"
    );
    assert_eq!(
        lens_titles(&mut client, &file),
        ["Kripke: put violated", "Kripke: get holds"]
    );
    let at = json!({ "textDocument": { "uri": file }, "position": { "line": 2, "character": 8 } });
    let hover = client.ask("textDocument/hover", at).expect("an answer");
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        text.starts_with("**bounds**: ") && text.contains("```c"),
        "{text}"
    );

    std::fs::write(&path, SOURCE.replace("& 7", "& 3")).expect("written");
    let arguments = json!({ "command": "kripke.checkFile", "arguments": [file] });
    client.ask("workspace/executeCommand", arguments).expect("done");
    let shown = client.note("textDocument/publishDiagnostics");
    assert_eq!(shown["diagnostics"], json!([]), "{shown}");
    assert_eq!(
        lens_titles(&mut client, &file),
        ["Kripke: put holds", "Kripke: get holds"]
    );
    client.end();
}

#[test]
fn a_project_is_checked_and_options_are_passed_on() {
    let project = "[[program]]\nname = \"ring\"\nsources = [\"ring.c\"]\n";
    let source = format!("{SOURCE}int main(void) {{ put(WHERE, 1); return get(1); }}\n");
    let folder = folder(&[("ring.c", &source), ("kripke.toml", project)]);
    let toml = address(&folder.path().join("kripke.toml"));
    let options = json!({ "arguments": ["-DWHERE=6"], "noCheckOnSave": true });
    let mut client = Client::start(folder.path(), &options);
    assert_eq!(lens_titles(&mut client, &toml), ["Kripke: check the project"]);
    let saved = json!({ "textDocument": { "uri": address(&folder.path().join("ring.c")) } });
    client.tell("textDocument/didSave", saved);
    let arguments = json!({ "command": "kripke.checkProject", "arguments": [toml] });
    client.ask("workspace/executeCommand", arguments).expect("done");
    assert_eq!(
        client.note("$/progress")["value"]["title"],
        "Kripke checks the project"
    );
    let shown = client.note("textDocument/publishDiagnostics");
    let first = &shown["diagnostics"][0];
    assert_eq!(
        (&first["severity"], &first["code"]),
        (&json!(1), &json!("bounds")),
        "{shown}"
    );
    client.end();
}

#[test]
fn what_is_wrong_is_said_and_the_session_goes_on() {
    let folder = folder(&[("bad.c", "int main(void) { return }\n")]);
    let file = address(&folder.path().join("bad.c"));
    let mut client = Client::start(folder.path(), &json!({ "arguments": 7 }));
    let said = |note: Value| note["message"].as_str().expect("a text").to_owned();
    assert!(said(client.note("window/showMessage")).contains("initializationOptions"));
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert!(said(client.note("window/showMessage")).contains("bad.c"));
    for (method, params, part) in [
        ("no/method", json!({}), "no/method is not known"),
        ("textDocument/hover", json!({ "position": 1 }), "invalid type"),
        (
            "workspace/executeCommand",
            json!({ "command": "rm" }),
            "no command 'rm'",
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "kripke.checkFile" }),
            "no address",
        ),
    ] {
        let error = client.ask(method, params).expect_err("an error");
        assert!(error.contains(part), "{method}: {error}");
    }
    client.tell("window/workDoneProgress/cancel", json!({ "token": "kripke 77" }));
    client.end();
}

#[test]
fn bytes_that_are_no_message_end_the_session_with_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kripke");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"Content-Length: 4\r\n\r\n{{{{").expect("sent");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains("panicked"),
        "{output:?}"
    );
}
