//! Processes end with whom they belong to. One test, as nothing can be started after the end of all.

use std::process::{Command, Stdio};
use std::thread;

use kripke_limits::{ChildProcess, end_processes};

fn sleeper() -> ChildProcess {
    let mut command = Command::new("sleep");
    ChildProcess::start(command.arg("600").stdout(Stdio::null())).expect("sleep runs")
}

fn is_running(id: u32) -> bool {
    let process = std::fs::read_to_string(format!("/proc/{id}/stat"));
    process.is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn nothing_goes_on() {
    let dropped = sleeper();
    let id = dropped.id();
    assert!(is_running(id));
    drop(dropped);
    assert!(!is_running(id));

    let kept = sleeper();
    let id = kept.id();
    assert!(is_running(id));
    thread::spawn(end_processes).join().expect("it ends");
    assert!(!is_running(id));
}
