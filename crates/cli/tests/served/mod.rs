//! A `kripke serve` under test, and a small client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A server; it ends with this.
pub struct Server {
    pub process: Child,
    pub port: u16,
    pub url: String,
    cookie: String,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    /// Serves something, and does not open the page yet.
    pub fn start(project: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_kripke"))
            .args(["serve", "--no-open"])
            .arg(project)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("kripke runs");
        let mut url = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut url).expect("a line");
        let port = url.split(['/', ':']).find_map(|part| part.parse().ok());
        Self {
            process,
            port: port.unwrap_or_else(|| panic!("no port in {url}")),
            url: url.trim().to_owned(),
            cookie: String::new(),
        }
    }

    /// The same with the session open.
    pub fn opened(project: &Path) -> Self {
        let mut server = Self::start(project);
        let path = server
            .url
            .split_at(server.url.find("/?").expect("a path"))
            .1
            .to_owned();
        let answer = server.ask("GET", &path, &[], "");
        assert_eq!(answer.status, 200);
        server.cookie = set_cookie(&answer).expect("a cookie");
        server
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let limit = Some(Duration::from_secs(20));
        stream.set_read_timeout(limit).expect("a time limit");
        stream
    }

    /// A request with these headers and no others that matter.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.connect();
        let host = self.host();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {host}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        // A server that refuses may close before it has read everything.
        let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// A request of the page.
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("Cookie", &self.cookie)], "")
    }

    /// A request of the page that changes something.
    pub fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let origin = self.origin();
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Origin", &origin),
            ("Content-Type", "application/json"),
        ];
        self.ask(method, path, &headers, &body.to_string())
    }

    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// The events of runs, as another tab gets them.
    pub fn events(&self) -> Events {
        let mut stream = self.connect();
        let request = format!(
            "GET /api/events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n",
            self.host(),
            self.cookie
        );
        stream.write_all(request.as_bytes()).expect("a request");
        Events {
            lines: BufReader::new(stream),
        }
    }

    /// Processes that the server has started and that go on.
    pub fn children(&self) -> Vec<String> {
        let output = Command::new("ps")
            .args(["-o", "pid=,stat=", "--ppid", &self.process.id().to_string()])
            .output()
            .expect("ps runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = text.lines().filter_map(|line| line.trim().split_once(' '));
        lines
            .filter(|(_, state)| !state.trim().starts_with('Z'))
            .map(|(pid, _)| pid.to_owned())
            .collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // So it leaves nothing behind; where it is ended already, this does nothing.
        if self.process.try_wait().is_ok_and(|ended| ended.is_none()) {
            signal("-INT", &self.process.id().to_string());
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(3)
                && self.process.try_wait().is_ok_and(|ended| ended.is_none())
            {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn set_cookie(answer: &Answer) -> Option<String> {
    let line = answer
        .head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))?;
    for part in ["HttpOnly", "SameSite=Strict"] {
        assert!(line.contains(part), "{line}");
    }
    Some(line.split(';').next().unwrap_or_default().to_owned())
}

pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event about one run that a test wants.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            let mut line = String::new();
            self.lines.read_line(&mut line).expect("an event");
            let Some(data) = line.strip_prefix("data: ") else {
                continue;
            };
            let event: Value = serde_json::from_str(data).expect("JSON");
            if event.is_object() && wanted(&event) {
                return event;
            }
        }
        panic!("there was no such event");
    }
}

/// Signals a process by its number.
pub fn signal(name: &str, process: &str) {
    let status = Command::new("kill")
        .args([name, process])
        .status()
        .expect("kill runs");
    assert!(status.success());
}

/// Waits until something is true.
pub fn until(what: &str, mut test: impl FnMut() -> bool) {
    let start = Instant::now();
    while !test() {
        assert!(start.elapsed() < Duration::from_secs(15), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
