//! The page of `kripke serve` in a browser: an example of firmware and one of C, opened, checked and stepped.

#[path = "served/browser.rs"]
mod browser;
#[allow(dead_code, reason = "the browser asks most of it")]
mod served;

use std::path::{Path, PathBuf};

use browser::Browser;
use served::Server;

fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    root.join(name).canonicalize().expect("an example")
}

/// The page of an example; it goes on as long as the server lives.
fn opened(name: &str) -> (Browser, Server) {
    let mut browser = Browser::start(1280, 800);
    let server = Server::start(&example(name));
    browser.open(&server.url);
    browser.until("document.querySelector('.card')");
    (browser, server)
}

/// The value of a row of a panel.
fn row(browser: &mut Browser, name: &str) -> String {
    let found = browser.value(&format!(
        "[...document.querySelectorAll('.panels tr')].find((row) => \
         row.querySelector('.signal')?.textContent === '{name}')?.lastElementChild.textContent ?? ''"
    ));
    found.as_str().unwrap_or_default().to_owned()
}

#[test]
fn counterexamples_are_stepped_through() {
    let mut browser = Browser::start(1440, 900);
    // A page whose server has ended would say so.
    let servers = ["avr/reentrance", "ltl-paper"].map(|name| Server::start(&example(name)));
    firmware(&mut browser, &servers[0]);
    program(&mut browser, &servers[1]);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Two handlers of the same variable: `i` gets above its limit.
fn firmware(browser: &mut Browser, server: &Server) {
    browser.open(&server.url);
    browser.until("document.querySelector('.card')");
    assert_eq!(
        browser.value("location.search"),
        "",
        "the token is not left in the address"
    );
    browser.click("[aria-label='Check limit']");
    browser.click("a[title='show the run']");
    browser.until("document.querySelector('.trace .step.now')");
    // It opens at its end, where the formula is false.
    assert_eq!(browser.text(".what strong"), "the formula is false here");
    assert_eq!(row(browser, "{i <= 30}"), "false");
    assert_eq!(row(browser, "i"), "31 (0x1f)");
    let last = browser.text(".where");
    let (at, all) = last.split_once(" / ").expect("two numbers");
    assert_eq!(at, all);
    // Before the last write of `i` the formula is true.
    browser.key("ArrowLeft");
    assert_eq!(browser.text(".what strong"), "sts 0x0060, r24");
    assert_eq!(browser.text(".assembly .now b"), "00c8");
    assert!(browser.text(".code:not(.assembly) .now").contains("i++;"));
    browser.key("ArrowLeft");
    assert_eq!(row(browser, "{i <= 30}"), "true");
    assert_eq!(row(browser, "i"), "30 (0x1e)");
    // A handler has a lane of its own, and bits of registers are told.
    assert!(browser.text(".labels").contains("INT0 (interrupt)"));
    browser.key("Home");
    browser.value("document.querySelector('[aria-label=\"next change of PORTB\"]').click()");
    assert_eq!(row(browser, "PORTB"), "0x01");
    assert_eq!(
        browser.value("document.querySelectorAll('.bit.one.flipped').length"),
        1
    );
    // The address leads back to this step.
    let address = browser.value("location.hash");
    let shown = browser.text(".where");
    browser.value("location.hash = '#/'");
    browser.until("document.querySelector('.card')");
    browser.value(&format!("location.hash = {address}"));
    browser.until("document.querySelector('.trace .step.now')");
    assert_eq!(browser.text(".where"), shown);
    // The block of the instruction is marked in the graph.
    browser.value(
        "[...document.querySelectorAll('.tabs button')].find((one) => one.textContent === 'graph').click()",
    );
    browser.until("document.querySelector('.node.now')");
    assert!(browser.text(".node.now").contains("out"));

    // A formula as it is typed, and every pattern.
    browser.value("location.hash = '#/edit/reentrance'");
    browser.until("document.querySelector('#formula')");
    browser.value(
        "(() => { const text = document.querySelector('#formula'); text.value = '{PORTB = 0}'; \
         text.dispatchEvent(new Event('input')); })()",
    );
    browser.until("document.querySelector('.answer .bad-text')");
    for form in ["ctl", "ltl"] {
        patterns(browser, form);
    }
    browser.value("location.hash = '#/stack/reentrance'");
    browser.until("document.querySelector('.flame')");
    browser.value("location.hash = '#/simulate/reentrance'");
    browser.click("[aria-label='One instruction']");
    browser.until("document.querySelector('.log').textContent.includes('jmp')");
}

/// Fills in each pattern and waits for its class.
fn patterns(browser: &mut Browser, form: &str) {
    let bad = browser.value(&format!(
        "(async () => {{
            const form = document.querySelector('#form');
            form.value = '{form}';
            form.dispatchEvent(new Event('change'));
            const pattern = document.querySelector('#pattern');
            const names = [...pattern.options].map((option) => option.value).filter(Boolean);
            const bad = names.length > 9 ? [] : ['too few'];
            for (const name of names) {{
                pattern.value = name;
                pattern.dispatchEvent(new Event('change'));
                for (const input of document.querySelectorAll('.parts input')) {{
                    input.value = 'i == ' + input.dataset.part.charCodeAt(0);
                    input.dispatchEvent(new Event('input'));
                }}
                const text = document.querySelector('#formula').value;
                const body = JSON.stringify({{ program: 'reentrance', form: '{form}', text }});
                const headers = {{ 'content-type': 'application/json' }};
                const said = await fetch('/api/formula', {{ method: 'POST', headers, body }});
                const answer = await said.json();
                if (!answer.ok || text.includes('{{P}}')) bad.push(name + ': ' + text + ' ' + answer.message);
            }}
            return bad.join('\\n');
        }})()"
    ));
    assert_eq!(bad, "", "{form}");
}

/// A charger that is too slow: a lasso.
fn program(browser: &mut Browser, server: &Server) {
    browser.open(&server.url);
    browser.click("[aria-label='Check charged-slowly']");
    browser.click("a[title='show the run']");
    browser.until("document.querySelector('.trace .step.now')");
    assert!(browser.text(".what").contains("in the loop"));
    assert!(
        browser
            .text(".formula")
            .contains("G(pressed -> F {charge > min})")
    );
    assert_eq!(row(browser, "charge"), "2");
    // The letters in which an atom or a subformula flips, of the six.
    browser.key("Home");
    let truths = "[...document.querySelectorAll('.truth')].map((cell) => cell.textContent).join(' ')";
    let mut flips = Vec::new();
    for key in ["t", "t", "T"] {
        browser.key(key);
        flips.push((browser.text(".what strong"), browser.value(truths)));
    }
    assert!(
        flips[0].0.starts_with("letter 2") && flips[1].0.starts_with("letter 6"),
        "{flips:?}"
    );
    assert_eq!(flips[1].1, "false false false true true");
    assert_eq!(flips[2], flips[0]);
    // Of a subformula that has no letter of its own.
    browser.click("[aria-label='next change of pressed -> F {charge > min}']");
    assert_eq!(browser.text(".what strong"), flips[1].0);

    browser.key("Home");
    for _ in 0..3 {
        browser.key("ArrowRight");
    }
    assert_eq!(browser.text(".what strong"), "pressed = true");
    browser.key("ArrowRight");
    // From here on it should get charged, and never does.
    assert_eq!(browser.value(truths), "true false false false false");
    assert!(browser.text(".code .now").contains("__VERIFIER_nondet_bool()"));

    // By hand: the button is asked for, and pressed.
    browser.value("location.hash = '#/simulate/charge'");
    browser.click("[aria-label='Until a breakpoint, a violation or the end']");
    browser.until("document.querySelector('.question').textContent.includes('__VERIFIER_nondet_bool()')");
    browser.click("[aria-label='Take 1']");
    // The charger goes round, and asks again.
    browser.until("document.querySelector('.log').textContent.split('? the value').length > 2");
    assert!(browser.text(".pane").contains("pressed = false"));
}

const RECURSION: &str = "
int __VERIFIER_nondet_int(void);
#include <assert.h>
static int sum(int n) {
    int rest = 0;
    if (n > 0)
        rest = sum(n - 1);
    return n + rest;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 2)
        assert(sum(n) != 3);
    return 0;
}
";
const LOCKS: &str = "
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared, done;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    shared = 1;
    pthread_mutex_unlock(&a);
    done = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    pthread_mutex_lock(&b);
    assert(done == 0);
    return 0;
}
";

/// On a large screen all is larger, and a window that changes its size still shows the step.
#[test]
fn large_windows_are_filled() {
    let (mut browser, _server) = opened("avr/reentrance");
    browser.click("[aria-label='Check limit']");
    browser.click("a[title='show the run']");
    browser.until("document.querySelector('.trace .step.now')");
    let height = "document.querySelector('.trace .step.now')?.getBoundingClientRect().height";
    assert_eq!(browser.value(height), 19);
    browser.resize(3840, 2160);
    browser.until(&format!("{height} === 28.5"));
    browser.until("document.querySelector('.waves canvas').getBoundingClientRect().width > 2500");
    let is_seen = "(() => { const list = document.querySelector('.steps').getBoundingClientRect(); \
                   const now = document.querySelector('.step.now').getBoundingClientRect(); \
                   return list.top <= now.top && now.bottom <= list.bottom; })()";
    browser.until(is_seen);
    browser.resize(1280, 720);
    browser.until(&format!("{height} === 19"));
    browser.until(is_seen);
    let overflows = "document.documentElement.scrollWidth > innerWidth";
    assert_eq!(browser.value(overflows), false);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// Each safety property that is violated leads to its run.
#[test]
fn findings_lead_to_their_runs() {
    let (mut browser, _server) = opened("battery.c");
    browser.click("[aria-label='Check all of battery']");
    let links = "[...document.querySelectorAll('.safety a[title=\"show the run\"]')]";
    browser.until(&format!("{links}.length === 2"));
    let named = browser.value(&format!("{links}.map((link) => link.textContent).join()"));
    assert_eq!(named, "main.assertion.1,main.assertion.2");
    browser.value(&format!("{links}[1].click()"));
    browser.until("document.querySelector('.trace .step.violation.now')");
    assert!(browser.text(".title").contains("main.assertion.2"));
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The report in one file is stepped through without a server.
#[test]
fn a_report_is_stepped_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("r.html");
    let report = format!("html={}", page.display());
    let battery = example("battery.c");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(["check", "--report", &report])
        .arg(battery)
        .output();
    assert_eq!(output.expect("kripke runs").status.code(), Some(1));
    let mut browser = Browser::start(1280, 800);
    browser.open(&format!("file://{}", page.display()));
    browser.until("document.querySelector('#where')?.textContent");
    assert!(browser.text("#where").contains("battery.c"));
    let at = |browser: &mut Browser| browser.value("Number(document.getElementById('slider').value)");
    let last = at(&mut browser);
    assert!(last.as_u64() > Some(3), "{last}");
    browser.key("Home");
    assert_eq!(at(&mut browser), 0);
    browser.key("ArrowRight");
    assert_eq!(at(&mut browser), 1);
    browser.key("End");
    assert_eq!(at(&mut browser), last);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

#[test]
fn calls_and_locks_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut project = String::new();
    for (name, text) in [("recursion", RECURSION), ("locks", LOCKS)] {
        std::fs::write(folder.path().join(format!("{name}.c")), text).expect("a file");
        project += &format!(
            "[[program]]\nname = \"{name}\"\nsources = [\"{name}.c\"]\n\
             [[program.property]]\nname = \"right\"\nid = \"main.assertion.1\"\n"
        );
    }
    std::fs::write(folder.path().join("kripke.toml"), project).expect("a file");
    let server = Server::start(folder.path());
    let mut browser = Browser::start(1280, 800);
    browser.open(&server.url);
    let open = |browser: &mut Browser, program: &str| {
        browser.value("location.hash = '#/'");
        browser.until("document.querySelector('.card')");
        let card = format!(
            "[...document.querySelectorAll('.card')].find((card) => card.textContent.startsWith('{program}'))"
        );
        browser.value(&format!(
            "{card}.querySelector(\"[aria-label='Check right']\").click()"
        ));
        browser.until(&format!("{card}?.querySelector(\"a[title='show the run']\")"));
        browser.value(&format!(
            "{card}.querySelector(\"a[title='show the run']\").click()"
        ));
        browser.until("document.querySelector('.trace .step.now')");
    };
    locks(&mut browser, open);
    recursion(&mut browser, open);
    // The source is newer than the check now.
    assert_eq!(browser.text(".stale"), "");
    let file = folder.path().join("recursion.c");
    std::fs::write(&file, format!("{RECURSION}\n")).expect("a file");
    browser.value("dispatchEvent(new Event('focus'))");
    let address = browser.value("location.hash");
    browser.value("location.hash = '#/'");
    browser.until("document.querySelector('.card')");
    browser.value(&format!("location.hash = {address}"));
    browser.until("document.querySelector('.stale')?.textContent.includes('recursion.c has changed')");
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// The thread holds one lock and `main` another at the end.
fn locks(browser: &mut Browser, open: impl Fn(&mut Browser, &str)) {
    open(browser, "locks");
    let held = "[...document.querySelectorAll('.locks tr')]\
                .map((row) => row.textContent.replace(/[‹›]/g, '')).join(' ')";
    let text = |browser: &mut Browser| browser.value(held).to_string();
    let at_the_end = text(browser);
    assert!(
        at_the_end.contains("held by main b") && at_the_end.contains("free a"),
        "{at_the_end}"
    );
    browser.click("[aria-label='change before of a']");
    browser.click("[aria-label='change before of a']");
    assert_eq!(browser.text(".what strong"), "shared = 1");
    let within = text(browser);
    assert!(within.contains("held by thread 1 (one) a"), "{within}");
    assert!(browser.text(".labels").contains("thread 1 (one)"));
}

/// Each call of a recursive function has variables of its own, and the harness is saved.
fn recursion(browser: &mut Browser, open: impl Fn(&mut Browser, &str)) {
    open(browser, "recursion");
    browser.key("Home");
    let scopes = "[...document.querySelectorAll('.panels .scope')].map((row) => row.textContent).join(' ')";
    let mut deepest = String::new();
    for _ in 0..15 {
        if browser.text(".what strong") == "← sum 0" {
            break;
        }
        deepest = browser.value(scopes).as_str().unwrap_or_default().to_owned();
        browser.key("ArrowRight");
    }
    assert_eq!(deepest, "in sum in sum in sum in main");
    browser.value(
        "(() => { const make = URL.createObjectURL; URL.createObjectURL = (file) => \
         { window.saved = file; return make(file); }; })()",
    );
    browser.click(".exports button");
    browser.until("window.saved");
    let text = browser.value("window.saved.text()");
    assert!(
        text.as_str()
            .is_some_and(|text| text.contains("__VERIFIER_nondet_int")),
        "{text}"
    );
}
