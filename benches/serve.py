"""Suite `serve`: the page of `kripke serve` in headless Chromium, beside its goals.

A page is usable when its properties are there. A step is measured from the key to the end of the frame that shows
it, so it includes layout and painting; on a machine that does other things, the worst says nothing. The binary's
size is that of a stripped copy.
"""

import gzip
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

# Steps of the long run: each round of the loop has four.
ROUNDS = 24990
LONG = f"""#include <assert.h>
unsigned total;
int main(void) {{
    for (unsigned i = 0; i < {ROUNDS}; i++)
        if (i != {ROUNDS}u)
            total += i % 3;
    assert(total == 0);
}}
"""

# Presses a key again and again, each time until the frame is painted; milliseconds.
STEPS = """(async () => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
    }));
    const times = [];
    for (const key of %s) {
        await painted();
        const start = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await painted();
        times.push(performance.now() - start);
    }
    return times;
})()"""


class Browser:
    """Chromium by its DevTools protocol over two pipes: a JSON text and a zero byte for each message."""

    def __init__(self, profile):
        name = next((name for name in ("chromium", "chromium-browser", "google-chrome") if shutil.which(name)), None)
        if name is None:
            raise SystemExit("the suite `serve` needs chromium (scripts/install-packages test)")
        command = [name, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
                   "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={profile}",
                   "--window-size=1920,1080", "about:blank"]
        shell = ["sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', *command]
        self.process = subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last, self.session, self.rest = 0, None, b""
        target = self.send("Target.createTarget", url="about:blank")
        attached = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        self.send("Emulation.setDeviceMetricsOverride", width=1920, height=1080, deviceScaleFactor=1, mobile=False)

    def send(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while True:
            while b"\0" not in self.rest:
                self.rest += os.read(self.process.stdout.fileno(), 1 << 20)
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(f"!!({expression})"):
            if time.monotonic() > end:
                raise SystemExit(f"the page does not come to {expression}: {self.value('document.body.innerText')}")
            time.sleep(0.002)

    def close(self):
        self.process.kill()
        self.process.wait()


def started(kripke, what):
    """A server, and the address that it prints."""
    server = subprocess.Popen([kripke, "serve", str(what), "--no-open"], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL)
    return server, server.stdout.readline().strip()


def usable(browser, kripke, what):
    """Seconds from the start of the server to a page that can be used."""
    begin = time.monotonic()
    server, address = started(kripke, what)
    browser.send("Page.navigate", url=address)
    browser.until("document.querySelector('.card')")
    seconds = time.monotonic() - begin
    browser.send("Page.navigate", url="about:blank")
    end(server)
    return seconds


def end(server):
    server.terminate()
    server.wait()


def stepped(browser, kripke, directory):
    """Seconds to open a long run, its steps, and the milliseconds of single steps and of jumps."""
    project = pathlib.Path(directory) / "long"
    project.mkdir(exist_ok=True)
    (project / "long.c").write_text(LONG)
    (project / "kripke.toml").write_text(
        f'[[program]]\nname = "long"\nsources = ["long.c"]\ncheck = "assertion"\nunwind = {ROUNDS + 2}\n')
    server, address = started(kripke, project)
    browser.send("Page.navigate", url=address)
    browser.until("document.querySelector('.card')")
    browser.value("fetch('/api/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, "
                  "body: JSON.stringify({ program: 'long' }) }).then(() => 1)")
    browser.value("location.hash = '#/run/1'")
    browser.until("document.querySelector('a[title=\"show the run\"]')", 300)
    begin = time.monotonic()
    browser.value("document.querySelector('a[title=\"show the run\"]').click()")
    browser.until("document.querySelector('.trace .step.now')")
    opened = time.monotonic() - begin
    count = int(browser.value("document.querySelector('.where').textContent").split("/")[1])
    single = ["Home"] + 50 * ["ArrowRight"] + ["End"] + 50 * ["ArrowLeft"]
    jumps = 5 * ["Home", "n", "c", "PageDown", "End", "p", "C", "PageUp", "f"]
    times = [browser.value(STEPS % json.dumps(keys)) for keys in (single, jumps)]
    end(server)
    return opened, count, *times


def size_of_page(root):
    files = [file for file in (pathlib.Path(root) / "crates/serve/assets").rglob("*") if file.is_file()]
    texts = [file.read_bytes() for file in files]
    return sum(map(len, texts)), sum(len(gzip.compress(text)) for text in texts)


def size_of_binary(kripke, directory):
    copy = pathlib.Path(directory) / "stripped"
    subprocess.run(["strip", "-o", str(copy), kripke], check=True)
    return copy.stat().st_size


def run(kripke, root, directory, runs):
    """Prints the table; the rows for the file of results."""
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            times = [usable(browser, kripke, pathlib.Path(root) / "examples/ltl-paper") for _ in range(max(runs, 2))]
            opened, count, single, jumps = stepped(browser, kripke, directory)
        finally:
            browser.close()
    plain, packed = size_of_page(root)
    told = lambda all: f"{statistics.median(all):.0f} ms (worst {max(all):.0f})"
    rows = [
        ("start to usable page", "0.3 s", min(times) < 0.3, f"{min(times):.2f} s (worst {max(times):.2f})"),
        ("size of the page", "1 MB", plain < 1e6, f"{plain / 1e3:.0f} kB ({packed / 1e3:.0f} kB gzipped)"),
        ("stripped binary", "-", True, f"{size_of_binary(kripke, directory) / 1e6:.1f} MB"),
        (f"open a run of {count:,} steps", "-", True, f"{opened:.2f} s"),
        ("a step of it, in the middle", "100 ms", max(single) < 100, told(single)),
        ("a jump in it, in the middle", "100 ms", max(jumps) < 100, told(jumps)),
    ]
    print(f"\nserve: the page of kripke serve in headless Chromium, {kripke}")
    print(f"{'':32} {'goal':>8}   reached")
    for name, goal, is_reached, reached in rows:
        print(f"{name:32} {goal:>8}   {reached}{'' if is_reached else '   MISSED'}")
    return [{"suite": "serve", "program": name, "failed": False, "both": False, "ours": reached, "goal": goal}
            for name, goal, _, reached in rows]
