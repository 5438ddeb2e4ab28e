//! Chromium without a window, driven over the DevTools protocol.
//!
//! Idea: with `--remote-debugging-pipe` the protocol goes over two pipes, a JSON text and a zero byte for
//! each message, so no client for web sockets is needed. The shell makes standard input and output these
//! pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser with one page; it ends with this.
pub struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// Errors that the page had.
    pub errors: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    pub fn start(width: u32, height: u32) -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
        let name = NAMES.iter().find(is_there);
        let name = name.expect("chromium is installed (scripts/install-packages test)");
        let mut process = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                name,
            ])
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--disable-extensions",
                "--disable-background-networking",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--window-size={width},{height}"))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut browser = Self {
            process,
            input,
            output,
            session: None,
            last: 0,
            errors: Vec::new(),
            _profile: profile,
        };
        let target = browser.send("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.send("Target.attachToTarget", &attached);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.resize(width, height);
        browser.send("Runtime.enable", &json!({}));
        browser.send("Log.enable", &json!({}));
        browser
    }

    /// A command of the protocol; its result.
    pub fn send(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.input, "{message}\0")
            .and_then(|()| self.input.flush())
            .expect("the browser lives");
        loop {
            let mut text = Vec::new();
            self.output.read_until(0, &mut text).expect("the browser lives");
            assert!(!text.is_empty(), "the browser has ended");
            text.pop();
            let answer: Value = serde_json::from_slice(&text).expect("JSON");
            if answer["id"] == self.last {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            let method = answer["method"].as_str().unwrap_or_default();
            if method == "Runtime.exceptionThrown" || answer["params"]["entry"]["level"] == "error" {
                self.errors.push(answer["params"].to_string());
            }
        }
    }

    pub fn open(&mut self, url: &str) {
        self.send("Page.navigate", &json!({ "url": url }));
    }

    /// Gives the window another size.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", &size);
    }

    /// What an expression of JavaScript is in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.send("Runtime.evaluate", &parameters);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(&format!("!!({expression})")) != true {
            if start.elapsed() > Duration::from_secs(15) {
                let page = self.value("document.body.innerText");
                panic!(
                    "{expression} in\n{}\n{:?}",
                    page.as_str().unwrap_or_default(),
                    self.errors
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn click(&mut self, selector: &str) {
        self.until(&format!("document.querySelector({})", json!(selector)));
        self.value(&format!("document.querySelector({}).click()", json!(selector)));
    }

    /// Presses a key as a user does.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.send("Input.dispatchKeyEvent", &json!({ "type": kind, "key": key }));
        }
    }

    /// The text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let found = self.value(&format!(
            "document.querySelector({})?.textContent ?? ''",
            json!(selector)
        ));
        found.as_str().unwrap_or_default().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
