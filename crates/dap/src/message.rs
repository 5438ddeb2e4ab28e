//! Messages on a stream: a header that tells the length, and JSON.
//!
//! Idea: what is wrong with one message is told apart from what breaks the stream. A message that is no
//! request can be answered and the next one read; where the header is wrong nobody knows where the next one
//! begins.
//!
//! Invariant: no more is kept of a message than [`LONGEST`] bytes, whatever its header says.
//! Source: the base protocol of the Debug Adapter Protocol, which that of language servers shares.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Value, json};

/// The longest message that is read.
pub const LONGEST: u64 = 16 << 20;

/// The longest line of a header.
const LONGEST_LINE: u64 = 1024;

/// The most lines of a header.
const MOST_LINES: usize = 32;

/// What a client asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its number, which the response repeats.
    pub seq: i64,
    /// What is asked.
    pub command: String,
    /// How.
    pub arguments: Value,
}

/// A message, whole.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// A request.
    Request(Request),
    /// Something else: the number of the message as far as it has one, and what is wrong with it.
    Malformed(i64, String),
}

/// Why no more messages can be read.
#[derive(Debug)]
pub enum Broken {
    /// The stream failed.
    Stream(io::Error),
    /// The header is none.
    Header(String),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::Stream(error) => write!(f, "cannot read the client's messages: {error}"),
            Broken::Header(what) => write!(f, "a message without a proper header: {what}"),
        }
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Broken::Stream(error)
    }
}

/// The next message; none at the end of the stream.
pub fn read(input: &mut impl BufRead) -> Result<Option<Received>, Broken> {
    let Some(length) = header(input)? else {
        return Ok(None);
    };
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Err(Broken::Header(format!(
            "{length} bytes are announced, and the stream ends after {}",
            body.len()
        )));
    }
    Ok(Some(request(&body)))
}

/// The length that a header tells; none where the stream ends instead.
fn header(input: &mut impl BufRead) -> Result<Option<u64>, Broken> {
    let mut length = None;
    for number in 0..MOST_LINES {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Err(Broken::Header("a line has no end".to_owned()));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return match length {
                Some(length) => Ok(Some(length)),
                None => Err(Broken::Header("Content-Length is missing".to_owned())),
            };
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(Broken::Header(format!("`{line}` has no colon")));
        };
        // A browser that was told to post something here (`POST /a:b HTTP/1.1`) is no client.
        if !name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return Err(Broken::Header(format!("`{name}` is no name of a field")));
        }
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(length_of(value.trim())?);
        }
    }
    Err(Broken::Header(format!("more than {MOST_LINES} lines")))
}

fn length_of(text: &str) -> Result<u64, Broken> {
    match text.parse() {
        Ok(length) if length <= LONGEST => Ok(length),
        Ok(length) => Err(Broken::Header(format!(
            "Content-Length {length} is more than {LONGEST}, the longest message that is read"
        ))),
        Err(_) => Err(Broken::Header(format!("Content-Length `{text}` is no number"))),
    }
}

fn request(body: &[u8]) -> Received {
    let message: Value = match serde_json::from_slice(body) {
        Ok(message) => message,
        Err(error) => return Received::Malformed(0, format!("the message is no JSON: {error}")),
    };
    let seq = message.get("seq").and_then(Value::as_i64);
    let number = seq.unwrap_or(0);
    if message.get("type").and_then(Value::as_str) != Some("request") {
        return Received::Malformed(
            number,
            "only messages of the type `request` are understood".to_owned(),
        );
    }
    let Some(seq) = seq else {
        return Received::Malformed(0, "the request has no `seq`".to_owned());
    };
    let Some(command) = message.get("command").and_then(Value::as_str) else {
        return Received::Malformed(seq, "the request has no `command`".to_owned());
    };
    Received::Request(Request {
        seq,
        command: command.to_owned(),
        arguments: message.get("arguments").cloned().unwrap_or(Value::Null),
    })
}

/// What goes to the client.
#[derive(Clone, Debug, PartialEq)]
pub enum Sent {
    /// An answer to a request, with its body or what is wrong.
    Response(Request, Result<Value, String>),
    /// An answer to what is no request.
    Refusal(i64, String),
    /// Something that happened.
    Event(&'static str, Value),
}

/// Writes messages and counts them.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    seq: i64,
}

impl<W: Write> Writer<W> {
    /// On a stream.
    pub fn new(output: W) -> Self {
        Writer { output, seq: 0 }
    }

    /// Writes a message.
    pub fn send(&mut self, message: &Sent) -> io::Result<()> {
        self.seq += 1;
        let seq = self.seq;
        let message = match message {
            Sent::Response(request, Ok(body)) => json!({
                "seq": seq, "type": "response", "request_seq": request.seq, "success": true,
                "command": request.command, "body": body,
            }),
            Sent::Response(request, Err(text)) => failure(seq, request.seq, &request.command, text),
            Sent::Refusal(request, text) => failure(seq, *request, "", text),
            Sent::Event(event, body) => {
                json!({"seq": seq, "type": "event", "event": event, "body": body})
            }
        };
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.output.flush()
    }
}

fn failure(seq: i64, request: i64, command: &str, text: &str) -> Value {
    // Clients ask these by themselves, again at each stop; watches show what is wrong in their place.
    let is_asked_by_user = !matches!(command, "evaluate" | "disassemble" | "dataBreakpointInfo");
    // Braces stand for variables in the texts of errors, so the text is one.
    let error = json!({
        "id": 1, "format": "{text}", "variables": {"text": text}, "showUser": is_asked_by_user,
    });
    json!({
        "seq": seq, "type": "response", "request_seq": request, "success": false, "command": command,
        "message": text, "body": {"error": error},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &str, expected: &str) {
        let mut input = bytes.as_bytes();
        let found = match read(&mut input) {
            Ok(None) => "nothing".to_owned(),
            Ok(Some(Received::Request(request))) => format!("{} {}", request.seq, request.command),
            Ok(Some(Received::Malformed(seq, text))) => format!("{seq}: {text}"),
            Err(broken) => broken.to_string(),
        };
        assert!(found.contains(expected), "{bytes}: {found}");
    }

    #[test]
    fn messages_are_read() {
        let body = r#"{"seq":3,"type":"request","command":"next"}"#;
        check(&format!("Content-Length: {}\r\n\r\n{body}", body.len()), "3 next");
        check(
            &format!("Other: 1\r\ncontent-length:{}\n\n{body}", body.len()),
            "3 next",
        );
        check("", "nothing");
    }

    #[test]
    fn what_is_wrong_is_told() {
        check("Content-Length: 2\r\n\r\n{}", "0: only messages of the type");
        check("Content-Length: 2\r\n\r\n{]", "0: the message is no JSON");
        check(
            "Content-Length: 18\r\n\r\n{\"type\":\"request\"}",
            "0: the request has no `seq`",
        );
        check(
            "Content-Length: 26\r\n\r\n{\"seq\":4,\"type\":\"request\"}",
            "4: the request has no `command`",
        );
        check("Content-Length: 9\r\n\r\n{}", "ends after 2");
        check(
            "Content-Length: 99999999999\r\n\r\n{}",
            "more than 16777216, the longest",
        );
        check("Content-Length: -1\r\n\r\n{}", "is no number");
        check("Length: 1\r\n\r\n{}", "Content-Length is missing");
        check("GET / HTTP/1.1\r\n\r\n", "has no colon");
        check(
            "POST /a:b HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
            "`POST /a` is no name",
        );
        check(&"a:".repeat(1000), "a line has no end");
        check(&"a: b\n".repeat(40), "more than 32 lines");
    }
}
