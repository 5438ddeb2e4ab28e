//! `kripke serve`: who is answered, what is read and written, and how checks end.

mod served;

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use served::{Server, set_cookie, signal, until};

const QUICK: &str = "
int __VERIFIER_nondet_int(void);
int last;
int main(void) {
    last = __VERIFIER_nondet_int();
    return last == 7 ? 1 / (last - 7) : 0;
}
";
/// Whether it has two factors takes longer than any test.
const SLOW: &str = "
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296)
        if (a * b == 18446743979220271189ul) __builtin_trap();
    return 0;
}
";
const PROJECT: &str = "# Two programs.\n[[program]]\nname = \"quick\"\nsources = [\"quick.c\"]\n\n\
                       [[program]]\nname = \"slow\"\nsources = [\"slow.c\"]\ntimeout = \"60s\"\n";

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("project")).expect("a folder");
    for (name, text) in [
        ("project/kripke.toml", PROJECT),
        ("project/quick.c", QUICK),
        ("project/slow.c", SLOW),
        ("secret.c", "int secret;"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn only_the_page_is_answered() {
    let folder = project();
    let project = folder.path().join("project");
    let closed = Server::start(&project);
    let token = closed.url.split("token=").nth(1).expect("a token").to_owned();
    let status = |path: &str, headers: &[(&str, &str)]| closed.ask("GET", path, headers, "").status;
    // Without a session the page is there, and nothing of the project.
    assert_eq!(status("/", &[]), 200);
    assert_eq!(status("/api/project", &[]), 403);
    assert_eq!(status("/?token=0123", &[]), 403);
    // Names that lead to 127.0.0.1 for now.
    assert_eq!(status("/", &[("Host", "evil.example")]), 403);
    assert_eq!(
        status(&format!("/?token={token}"), &[("Host", "evil.example:80")]),
        403
    );
    // The token opens one session.
    let opened = closed.ask("GET", &format!("/?token={token}"), &[], "");
    let cookie = set_cookie(&opened).expect("a cookie");
    assert_eq!(status(&format!("/?token={token}"), &[]), 403);
    assert_eq!(status("/api/project", &[("Cookie", &cookie)]), 200);
    let foreign = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "cross-site")];
    assert_eq!(status("/api/project", &foreign), 403);
    assert!(opened.head.contains("frame-ancestors 'none'"), "{}", opened.head);
    drop(closed);

    let server = Server::opened(&project);
    let body = json!({ "program": "quick" }).to_string();
    let from = |origin: Option<&str>| {
        let mut headers = vec![("Cookie", server.cookie()), ("Content-Type", "application/json")];
        headers.extend(origin.map(|origin| ("Origin", origin)));
        server.ask("POST", "/api/simulations", &headers, &body).status
    };
    assert_eq!(from(None), 403);
    assert_eq!(from(Some("http://evil.example")), 403);
    assert_eq!(from(Some("null")), 403);
    assert_eq!(from(Some(&format!("http://127.0.0.1:{}", server.port ^ 1))), 403);
    // The own origin is answered.
    assert_eq!(from(Some(&server.origin())), 200);

    for path in [
        "../secret.c",
        "%2e%2e/secret.c",
        "/etc/passwd",
        "..%2fsecret.c",
        "quick.c%00",
        "",
    ] {
        let answer = server.get(&format!("/api/source?path={path}"));
        assert!(
            [403, 404].contains(&answer.status),
            "{path}: {} {}",
            answer.status,
            answer.body
        );
    }
    assert!(server.get("/api/source?path=quick.c").body.contains("last"));
    assert_eq!(server.get("/assets/../../secret.c").status, 404);
    let large = json!({ "program": "x".repeat(1 << 20), "form": "ltl", "text": "" });
    let refused = server.send("POST", "/api/formula", &large).status;
    assert!([0, 413].contains(&refused), "{refused}");
    let wrong = json!({ "program": "quick", "options": { "json": "/tmp/x" } });
    assert_eq!(server.send("POST", "/api/runs", &wrong).status, 422);
}

#[test]
fn a_flood_of_connections_is_survived() {
    let folder = project();
    let server = Server::opened(&folder.path().join("project"));
    let mut events = server.events();
    let mut flood = VecDeque::new();
    for number in 0..1000 {
        flood.push_back(server.connect());
        // As many as a process may have open.
        if flood.len() > 400 {
            flood.pop_front();
        }
        if number % 250 == 249 {
            assert_eq!(server.get("/api/project").status, 200);
        }
    }
    // The page that was there before still hears of runs.
    server.send("POST", "/api/runs", &json!({ "program": "quick" }));
    events.wait(|run| run["status"] == "done");
}

#[test]
fn checks_end_and_every_page_hears_of_it() {
    let folder = project();
    let mut server = Server::opened(&folder.path().join("project"));
    let (mut one, mut other) = (server.events(), server.events());
    let start = |body| {
        server.send("POST", "/api/runs", &body).json()["id"]
            .as_u64()
            .expect("a number")
    };
    let quick = start(json!({ "program": "quick" }));
    let done = |run: &serde_json::Value| run["id"] == quick && run["status"] == "done";
    let (first, second) = (one.wait(done), other.wait(done));
    assert_eq!(first, second);
    let results = first["results"].as_array().expect("results");
    let bad = results
        .iter()
        .find(|result| result["verdict"] == "violated")
        .expect("a violation");
    let trace = server
        .get(&format!("/api/runs/{quick}/trace/{}", bad["trace"]))
        .json();
    assert!(
        trace["steps"].as_array().is_some_and(|steps| steps.len() > 2),
        "{trace}"
    );
    assert_eq!(bad["file"], "quick.c");
    let page = server.get(&format!("/api/runs/{quick}/export/html"));
    assert!(
        page.body.to_lowercase().contains("<!doctype html>"),
        "{}",
        page.head
    );
    let harness = server.get(&format!("/api/runs/{quick}/export/harness"));
    assert!(harness.body.contains("__VERIFIER_nondet_int"), "{}", harness.body);

    // One that is killed, as by the system for its memory.
    let killed = start(json!({ "program": "slow" }));
    one.wait(|run| run["id"] == killed && run["status"] == "running");
    let children = server.children();
    assert_eq!(children.len(), 1, "{children:?}");
    signal("-KILL", &children[0]);
    let lost = other.wait(|run| run["id"] == killed && run["status"] == "failed");
    assert!(
        lost["failure"]
            .as_str()
            .is_some_and(|why| why.contains("signal 9")),
        "{lost}"
    );

    // One that the user stops.
    let stopped = start(json!({ "program": "slow", "options": { "unwind": "3" } }));
    one.wait(|run| run["id"] == stopped && run["status"] == "running");
    assert_eq!(
        server
            .send("POST", &format!("/api/runs/{stopped}/stop"), &json!({}))
            .status,
        200
    );
    let end = one.wait(|run| run["id"] == stopped && run["status"] != "running");
    assert!(end["status"] == "stopped" || end["status"] == "done", "{end}");
    let again = server.send("POST", "/api/runs", &json!({ "program": "gone" }));
    assert_eq!(again.status, 404);

    // With the server end its checks.
    let last = start(json!({ "program": "slow" }));
    one.wait(|run| run["id"] == last && run["status"] == "running");
    let children = server.children();
    signal("-INT", &server.process.id().to_string());
    let status = server.process.wait().expect("the server ends");
    assert_eq!(status.code(), Some(0));
    let is_gone = |pid: &String| !Path::new("/proc").join(pid).exists();
    until("the check ends", || children.iter().all(is_gone));
}

#[test]
fn properties_are_saved_and_changes_are_not_lost() {
    let folder = project();
    let file = folder.path().join("project/kripke.toml");
    let server = Server::opened(&folder.path().join("project"));
    let hash = |server: &Server| server.get("/api/project").json()["hash"].clone();
    let seen = hash(&server);
    let property = json!({ "name": "seven", "form": "ltl", "text": "G {last != 7}", "expected": "violated" });
    let body = json!({ "program": "quick", "hash": seen, "property": property });
    assert_eq!(server.send("POST", "/api/properties", &body).status, 200);
    let text = fs::read_to_string(&file).expect("the project");
    assert!(
        text.starts_with("# Two programs.") && text.contains("ltl = \"G {last != 7}\""),
        "{text}"
    );
    // What the page has seen is old now.
    assert_eq!(server.send("POST", "/api/properties", &body).status, 409);
    assert_eq!(fs::read_to_string(&file).expect("the project"), text);
    let answer = server.send(
        "POST",
        "/api/formula",
        &json!({ "program": "quick", "form": "ltl", "text": "G(" }),
    );
    assert_eq!(answer.json()["ok"], false);
    // The file is broken by another program: it is said, and mended again.
    fs::write(&file, "[[program]]\nname = 1\n").expect("the project");
    assert!(server.get("/api/project").json()["error"].is_string());
    assert_eq!(
        server
            .send("POST", "/api/runs", &json!({ "program": "quick" }))
            .status,
        422
    );
    fs::write(&file, text).expect("the project");
    let body = json!({ "program": "quick", "hash": hash(&server), "name": "seven" });
    assert_eq!(server.send("DELETE", "/api/properties", &body).status, 200);
    assert_eq!(fs::read_to_string(&file).expect("the project"), PROJECT);
}

#[test]
fn what_cannot_be_served_is_said() {
    let folder = project();
    let server = Server::start(&folder.path().join("project/quick.c"));
    let check = |arguments: &[&str], said: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
            .args(["serve", "--no-open"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("kripke runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains(said), "{text}");
    };
    check(&["project", "--port", &server.port.to_string()], "is taken");
    check(&["nothing"], "cannot open nothing");
    check(&["."], "kripke init");
    check(&["project", "--port", "0"], "--port");
}
