//! Reports for other tools, as `kripke check` writes them: SARIF and JUnit against their schemas, the rules
//! of SARIF that matter to readers, JUnit parsed back, the page's data; and the comparison with a baseline.

mod common;
mod schemas;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use common::{compile, expect, folder_with as folder, kripke};
use quick_xml::events::Event;
use serde_json::Value;

/// One assertion is violated, and one holds.
const MIXED: &str = "
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 3);
    assert(x == x);
    return 0;
}
";

const THREADS: &str = "
#include <assert.h>
#include <pthread.h>
static int packets;
static void *work(void *unused) { packets++; return unused; }
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    packets++;
    pthread_join(one, 0);
    assert(packets == 2);
}
";

const HANDLER: &str = "
#include <assert.h>
static volatile int ticks;
void tick(void) { ticks++; }
int main(void) {
    int before = ticks;
    assert(ticks == before);
    return 0;
}
";

/// A name that markup and workflow commands give a meaning to.
const ODD: &str = "
#include <stdio.h>
int main(void) {
    printf(\"</script><b>\\x01%d: a,b\\n\", 1L);
    return 0;
}
";

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

/// Checks with all reports, which are written beside the sources; the exit code.
fn check(folder: &Path, arguments: &[&str]) -> i32 {
    let reports = [
        "--report=json=r.json",
        "--report=sarif=r.sarif",
        "--report=junit=r.xml",
        "--report=html=r.html",
        "--report=gitlab=r.gitlab.json",
        "--report=baseline=r.base.json",
        "--report-holds",
        "--quiet",
    ];
    let output = kripke(&[&["check"], arguments, &reports].concat(), folder);
    let code = output.status.code().unwrap_or(-1);
    assert!((0..=2).contains(&code), "{}", common::text(&output));
    code
}

/// Every report says the same, and is well formed.
fn check_all(folder: &Path, arguments: &[&str], code: i32, findings: usize) -> Value {
    assert_eq!(check(folder, arguments), code);
    let report = json(&folder.join("r.json"));
    let baseline = json(&folder.join("r.base.json"));
    assert_eq!(report["fingerprints"], baseline["fingerprints"]);
    let sarif = json(&folder.join("r.sarif"));
    let failed = check_sarif(&sarif);
    assert_eq!(failed, findings);
    let (failures, _) = check_junit(&folder.join("r.xml"));
    assert_eq!(failures, findings);
    let page = check_html(&folder.join("r.html"));
    let issues = json(&folder.join("r.gitlab.json"));
    let critical = issues.as_array().expect("an array").iter();
    let critical: Vec<&Value> = critical.filter(|issue| issue["severity"] == "critical").collect();
    assert_eq!(critical.len(), findings);
    for issue in critical {
        assert!(issue["location"]["lines"]["begin"].as_u64() > Some(0), "{issue}");
        assert!(issue["fingerprint"].as_str().is_some_and(|text| text.len() == 32));
    }
    page
}

/// What readers of SARIF count on beside the schema; how many results fail without being suppressed.
fn check_sarif(log: &Value) -> usize {
    schemas::check_sarif(log);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(
                rule[text]["text"].as_str().is_some_and(|text| text.len() > 10),
                "{rule}"
            );
        }
    }
    let results = run["results"].as_array().expect("results");
    let mut fingerprints = BTreeSet::new();
    let mut failed = 0;
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let is_failure = result["kind"] == "fail";
        assert_eq!(is_failure, result["level"] == "error", "{result}");
        failed += usize::from(is_failure && result["suppressions"].is_null());
        assert!(fingerprints.insert(result["partialFingerprints"]["kripke/v1"].as_str()));
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        if let Some(uri) = place["uri"].as_str() {
            assert!(!uri.starts_with('/') && !uri.contains(' '), "{uri}");
        }
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            check_flow(flow);
        }
    }
    failed
}

/// Each thread's steps are in order, and no two steps of a run have the same number.
fn check_flow(flow: &Value) {
    let mut seen = BTreeSet::new();
    for thread in flow["threadFlows"].as_array().expect("thread flows") {
        let mut last = 0;
        for location in thread["locations"].as_array().expect("locations") {
            let order = location["executionOrder"].as_u64().expect("an order");
            assert!(order > last && seen.insert(order), "{order} in {thread}");
            last = order;
            assert!(location["location"]["message"]["text"].is_string());
        }
        assert!(last > 0, "a thread flow without locations");
    }
}

/// Parses JUnit back: the numbers that are said are those of the elements. Failures, and skipped tests.
fn check_junit(path: &Path) -> (usize, usize) {
    schemas::check_junit(path);
    let text = fs::read_to_string(path).expect("a report");
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    loop {
        let element = match reader.read_event().expect("well-formed XML") {
            Event::Start(element) | Event::Empty(element) => element,
            Event::Eof => break,
            _ => continue,
        };
        let name = element.name().as_ref().to_owned();
        if name == "testsuites" {
            for attribute in element.attributes() {
                let attribute = attribute.expect("an attribute");
                let key = attribute.key.as_ref().to_owned();
                let value = attribute.value.into_owned();
                said.extend(value.parse().map(|number| (key, number)));
            }
        }
        *counts.entry(name).or_default() += 1;
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert_eq!(said["tests"], count("testcase"));
    assert_eq!(said["failures"], count("failure"));
    assert_eq!(said["errors"], count("error"));
    (count("failure"), count("skipped"))
}

/// The page's data; it loads nothing, and nothing of the program has become markup.
fn check_html(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a page");
    assert_eq!(text.matches("</script>").count(), 2);
    assert!(
        !text.contains("src=") && !text.contains("<link"),
        "the page loads something"
    );
    let data = text.split("type=\"application/json\">").nth(1).expect("data");
    let data = data.split("</script>").next().expect("an end");
    serde_json::from_str(data).expect("JSON")
}

fn lanes(page: &Value) -> Vec<&str> {
    let names = page["traces"][0]["lanes"].as_array().expect("lanes");
    names.iter().filter_map(Value::as_str).collect()
}

#[test]
fn a_program_in_every_format() {
    let folder = folder(&[("a.c", MIXED)]);
    let page = check_all(folder.path(), &["a.c", "--all"], 1, 1);
    assert_eq!(lanes(&page), ["main"]);
    let steps = page["traces"][0]["steps"].as_array().expect("steps");
    let last = steps.last().expect("a step");
    assert_eq!((&last[2], &last[3]), (&"a.c".into(), &6.into()));
    assert_eq!(page["files"]["a.c"][0][1][5], "    assert(x != 3);");
    let sarif = json(&folder.path().join("r.sarif"));
    let kinds = sarif["runs"][0]["results"].as_array().expect("results").iter();
    assert_eq!(
        kinds.map(|one| &one["kind"]).collect::<Vec<_>>(),
        ["fail", "pass"]
    );
}

#[test]
fn what_is_open_is_no_success() {
    let folder = folder(&[("a.c", MIXED)]);
    let code = check(folder.path(), &["a.c", "--report-unknown", "error"]);
    assert_eq!(code, 1);
    let text = fs::read_to_string(folder.path().join("r.xml")).expect("a report");
    assert!(
        text.contains("errors=\"1\"") && text.contains("<error message="),
        "{text}"
    );
    check(folder.path(), &["a.c"]);
    let (failures, skipped) = check_junit(&folder.path().join("r.xml"));
    assert_eq!((failures, skipped), (1, 1));
}

#[test]
fn threads_and_handlers_have_lanes_of_their_own() {
    let folder = folder(&[("t.c", THREADS), ("h.c", HANDLER)]);
    let page = check_all(folder.path(), &["t.c"], 1, 1);
    assert_eq!(lanes(&page), ["main", "thread 1 (work)"]);
    let page = check_all(folder.path(), &["h.c", "--interrupt", "tick"], 1, 1);
    assert_eq!(lanes(&page), ["main", "tick (interrupt)"]);
}

/// A run as others draw it: the signals of the waveform with their last values, and the graph.
#[test]
fn a_run_as_a_waveform_and_as_a_graph() {
    let folder = folder(&[("t.c", THREADS)]);
    let reports = ["--report", "vcd=r.vcd", "--report", "dot=r.dot"];
    kripke(
        &[&["check", "t.c", "--quiet"][..], &reports].concat(),
        folder.path(),
    );
    let text = fs::read_to_string(folder.path().join("r.vcd")).expect("a waveform");
    let mut parser = vcd::Parser::new(text.as_bytes());
    let header = parser.parse_header().expect("a header");
    let signal = |path: &[&str]| header.find_var(path).expect("a signal").code;
    let packets = signal(&["kripke", "packets"]);
    let lanes = [
        signal(&["kripke", "runs", "main"]),
        signal(&["kripke", "runs", "thread1(work)"]),
    ];
    let mut values = Vec::new();
    let mut running: BTreeMap<vcd::IdCode, vcd::Value> = BTreeMap::new();
    for command in parser {
        match command.expect("a command") {
            vcd::Command::ChangeVector(code, bits) if code == packets => values.push(bits.to_string()),
            vcd::Command::ChangeScalar(code, value) => {
                running.insert(code, value);
            }
            _ => {}
        }
    }
    let last_digits: Vec<&str> = values.iter().map(|bits| &bits[31..]).collect();
    assert_eq!(last_digits, ["0", "1"], "the update that is lost");
    assert_eq!(
        [running[&lanes[0]], running[&lanes[1]]],
        [vcd::Value::V1, vcd::Value::V0]
    );

    let graph = fs::read_to_string(folder.path().join("r.dot")).expect("a graph");
    assert!(
        graph.contains("label=\"main\"") && graph.contains("label=\"thread 1 (work)\""),
        "{graph}"
    );
    assert_eq!(graph.matches("color=red").count(), 1, "{graph}");
    let nodes = graph.matches("[label=").count();
    assert_eq!(graph.matches(" -> ").count() + 1, nodes, "{graph}");

    let none = ["check", "t.c", "--check", "deadlock", "--report", "vcd=none.vcd"];
    let output = kripke(&none, folder.path());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no run to show: none.vcd is not written"));
    assert!(!folder.path().join("none.vcd").exists());
}

#[test]
fn what_a_program_says_becomes_no_markup_and_no_command() {
    let folder = folder(&[("a b.c", ODD)]);
    check_all(folder.path(), &["a b.c"], 1, 1);
    let output = kripke(
        &["check", "a b.c", "--quiet", "--report", "github"],
        folder.path(),
    );
    let text = common::text(&output);
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), 1, "{text}");
    assert!(
        commands[0].starts_with("::error file=a b.c,line=4,") && !commands[0].contains("a,b"),
        "{text}"
    );
}

#[test]
fn a_document_on_standard_output_is_whole() {
    let folder = folder(&[("a.c", MIXED)]);
    for document in ["--json=-", "--report=json", "--report=sarif"] {
        let arguments = ["check", "a.c", "--quiet", document, "--report=github"];
        let output = kripke(&arguments, folder.path());
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON alone");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("VIOLATED") && said.contains("::error file=a.c"),
            "{said}"
        );
    }
}

#[test]
fn firmware_and_projects() {
    let source = "
        #include <avr/interrupt.h>
        volatile unsigned char i;
        ISR(INT0_vect) { i++; }
        int main(void) { GICR = 1 << INT0; sei(); for (;;) i++; }
    ";
    let folder = compile(source, &["-g"]);
    let project = "
        [[program]]\nname = 'fails'\nfirmware = 'a.elf'\n
        [[program.property]]\nname = 'small'\ninvariant = '{i < 3}'\nexpected = 'violated'\n
        [[program]]\nname = 'c'\nsources = ['c.c']\nexpected = 'holds'\n
        [[program]]\nname = 'other'\nsources = ['d.c']\nexpected = 'violated'\n
    ";
    fs::write(folder.path().join("kripke.toml"), project).expect("a file");
    let holds = "int main(void) { int a[2] = {0}; return a[1]; }";
    fs::write(folder.path().join("c.c"), MIXED).expect("a file");
    fs::write(folder.path().join("d.c"), holds).expect("a file");
    // The torn access and the assertion; that nothing is violated in `other` is a finding, too.
    let page = check_all(folder.path(), &[], 1, 3);
    let first = &page["entries"][0];
    assert_eq!(
        (&first["verdict"], &first["program"]),
        (&"violated".into(), &"fails".into())
    );
    assert_eq!(lanes(&page), ["main", "INT0 (interrupt)"]);
    let text = fs::read_to_string(folder.path().join("r.xml")).expect("a report");
    assert!(
        text.contains("the project expects: violated; found: holds"),
        "{text}"
    );
    // With a baseline of all that, nothing is new.
    expect(
        &["check", "--baseline", "r.base.json", "-q"],
        folder.path(),
        0,
        "BASELINE: 0 new",
    );
}

#[test]
fn each_function_by_itself() {
    let source = "
        int get(const int *table, unsigned char i) { return 100 / table[i]; }
        int half(int x) { return 100 / x; }
    ";
    let folder = folder(&[("a.c", source)]);
    check(folder.path(), &["a.c", "--each-function"]);
    let log = json(&folder.path().join("r.sarif"));
    check_sarif(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let kinds: BTreeSet<&str> = results.iter().filter_map(|one| one["kind"].as_str()).collect();
    assert!(kinds.contains("review") && kinds.contains("fail"), "{kinds:?}");
}

#[test]
fn a_baseline_lets_only_new_findings_fail() {
    let folder = folder(&[("a.c", MIXED)]);
    let path = folder.path();
    assert_eq!(check(path, &["a.c"]), 1);
    let again = |files: &[&str], code, said| {
        let arguments = [
            &["check"],
            files,
            &["--baseline", "r.json", "-q", "--report=github"],
        ]
        .concat();
        expect(&arguments, path, code, said);
    };
    again(&["a.c"], 0, "BASELINE: 0 new violated, 1 known");
    // Lines that move change nothing.
    fs::write(path.join("a.c"), format!("\n\n\n{MIXED}")).expect("a file");
    again(&["a.c"], 0, "BASELINE: 0 new violated, 1 known");
    // What the baseline knows hides nothing that comes behind it.
    let worse = MIXED.replace("x == x", "x != 7");
    fs::write(path.join("a.c"), &worse).expect("a file");
    again(&["a.c"], 1, "BASELINE: 1 new violated, 1 known");
    again(&["a.c"], 1, "::error file=a.c,line=7,");
    // The same assertion once more is another finding.
    let twice = MIXED.replace("x == x", "x != 3");
    fs::write(
        path.join("a.c"),
        twice
            .replace("int x =", "int y = 1, x =")
            .replacen("(x != 3)", "(x != 3 || y)", 1),
    )
    .expect("a file");
    again(&["a.c"], 0, "BASELINE: 0 new violated, 1 known");
    fs::write(
        path.join("a.c"),
        MIXED.replace("x != 3", "x != x + 1 - 1 || x > 3"),
    )
    .expect("a file");
    again(&["a.c"], 1, "1 gone");
}

#[test]
fn what_was_open_and_is_violated_is_new() {
    let folder = folder(&[("a.c", MIXED)]);
    check(folder.path(), &["a.c", "--all"]);
    let base = fs::read_to_string(folder.path().join("r.base.json")).expect("a baseline");
    assert!(base.contains("violated"), "{base}");
    fs::write(folder.path().join("b.json"), base.replace("violated", "unknown")).expect("a file");
    expect(
        &["check", "a.c", "-q", "--baseline", "b.json"],
        folder.path(),
        1,
        "1 new violated",
    );
}

#[test]
fn files_that_cannot_be_written_or_read() {
    let folder = folder(&[
        ("a.c", MIXED),
        ("bad.json", "{}"),
        ("old.json", "{\"schema_version\": 2}"),
    ]);
    let check = |options: &[&str], said| {
        let arguments = [&["check", "a.c", "-q"], options].concat();
        expect(&arguments, folder.path(), 3, said);
    };
    check(&["--report", "sarif=none/r.sarif"], "cannot write none/r.sarif");
    fs::create_dir(folder.path().join("r.d")).expect("a folder");
    check(&["--report", "sarif=r.d"], "cannot write r.d");
    check(&["--report", "xml=r.xml"], "there are json, sarif, junit");
    check(
        &["--report", "junit", "--report", "sarif"],
        "standard output takes one report",
    );
    check(
        &["--json", "-", "--report", "sarif"],
        "standard output takes one report",
    );
    check(&["--baseline", "none.json"], "cannot read the baseline none.json");
    check(&["--baseline", "a.c"], "neither a JSON report");
    check(&["--baseline", "bad.json"], "neither a JSON report");
    check(&["--baseline", "old.json"], "it has no fingerprints");
}

#[test]
fn a_violation_witness_and_a_property_file() {
    let source = "
void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    int y = 2147483647;
    if (x == 7)
        reach_error();
    return x / 2 + y;
}
";
    let prp = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let folder = folder(&[
        ("a.c", source),
        ("unreach.prp", prp),
        ("end.prp", &prp.replace("G !", "F")),
    ]);
    let path = folder.path();
    let output = kripke(
        &["check", "a.c", "-q", "--prp", "unreach.prp", "--witness", "w.yml"],
        path,
    );
    assert!(
        common::text(&output).contains("VIOLATED: 1 property"),
        "{}",
        common::text(&output)
    );
    let witness = fs::read_to_string(path.join("w.yml")).expect("a witness");
    let (_, content) = witness.split_once("  content:\n").expect("a content");
    assert!(
        witness.starts_with("- entry_type: violation_sequence\n  metadata:\n"),
        "{witness}"
    );
    let expected = "  - segment:
    - waypoint:
        type: function_return
        action: follow
        constraint:
          value: '\\result == 7'
          format: ext_c_expression
        location:
          file_name: 'a.c'
          line: 5
          column: 47
          function: 'main'
  - segment:
    - waypoint:
        type: target
        action: follow
        location:
          file_name: 'a.c'
          line: 8
          column: 9
          function: 'main'
";
    assert_eq!(content, expected);
    expect(
        &["check", "a.c", "--prp", "end.prp"],
        path,
        3,
        "end.prp: line 1: ",
    );
    expect(
        &["check", "a.c", "--prp", "none.prp"],
        path,
        3,
        "cannot read none.prp",
    );
    let holds = source.replace("x == 7", "0");
    fs::write(path.join("a.c"), holds).expect("a file");
    let arguments = [
        "check",
        "a.c",
        "-q",
        "--prp",
        "unreach.prp",
        "--witness",
        "none.yml",
    ];
    expect(&arguments, path, 0, "so none.yml was not written");
    assert!(!path.join("none.yml").exists());
}
