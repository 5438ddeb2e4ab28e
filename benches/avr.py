"""Suite `avr`: the concrete core beside simavr, exploration of our examples, and firmware without interrupts beside
machine-check-avr.

The peer is the crate machine-check-avr, installed into target/peer by cargo; it reads Intel HEX, knows one device (ATmega328P)
and only its ports. KRIPKE_AVR_PEER names another binary. Each program is checked for an invariant that holds and for
one that does not, in both tools' spellings.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "0.7.1"

# Program, the register that is bounded, its highest value.
PROGRAMS = [
    ("counter", "PORTB", 100),
    ("recursion", "PORTB", 28),
    ("bit_search", "GPIOR0", 8),
]


def find_peer(target):
    """The peer's binary, installed when it is not there."""
    named = os.environ.get("KRIPKE_AVR_PEER")
    if named:
        return named
    root = target / "peer"
    binary = root / "bin" / "machine-check-avr"
    if not binary.exists():
        print(f"installing the peer (crate machine-check-avr {VERSION}) into {root}", file=sys.stderr)
        command = [os.environ.get("CARGO", "cargo"), "install", "--quiet", "--locked", "machine-check-avr"]
        subprocess.run([*command, "--version", VERSION, "--root", str(root)], check=True, cwd=target)
    return str(binary)


def judge_peer(_status, text):
    if "Result: true" in text:
        return "holds"
    return "violated" if "Result: false" in text else "error"


def build(directory, name):
    """The program as ELF for us and as HEX for the peer."""
    elf, image = (pathlib.Path(directory) / f"{name}.{suffix}" for suffix in ("elf", "hex"))
    source = HERE / "avr" / f"{name}.c"
    subprocess.run(["avr-gcc", "-mmcu=atmega328p", "-Os", "-g", "-o", str(elf), str(source)], check=True)
    subprocess.run(["avr-objcopy", "-O", "ihex", "-R", ".eeprom", str(elf), str(image)], check=True)
    return str(elf), str(image)


def cases(directory):
    """As in the suites of bench.py: name, right answer, our arguments, the peer's arguments."""
    result = []
    for name, register, most in PROGRAMS:
        elf, image = build(directory, name)
        for bound, right in ((most, "holds"), (most - 1, "violated")):
            ours = [elf, "--invariant", f"{{{register} <= {bound}}}"]
            # The peer's own checks are left out: both tools answer one and the same question.
            theirs = ["--system-hex-file", image, "--assume-inherent"]
            theirs += ["--property", f"AG![as_unsigned({register}) <= {bound}]"]
            result.append((f"{name}_{bound}", right, ours, theirs))
    return result


def core(target, directory):
    """Instructions per second, ours and simavr's, on one program in one run; both must stop at the same place."""
    elf = str(pathlib.Path(directory) / "crc.elf")
    subprocess.run(["avr-gcc", "-mmcu=atmega328p", "-Os", "-o", elf, str(HERE / "avr" / "crc.c")], check=True)
    simavr = str(pathlib.Path(directory) / "simavr")
    subprocess.run(["gcc", "-O2", "-o", simavr, str(HERE / "avr" / "simavr.c"), "-lsimavr", "-lm"], check=True)
    command = [os.environ.get("CARGO", "cargo"), "build", "--quiet", "--release"]
    subprocess.run([*command, "--package", "kripke-avr", "--example", "core_speed"], check=True, cwd=HERE.parent)
    ours = str(target / "release" / "examples" / "core_speed")
    rates, places = {}, set()
    for name, program in (("ours", ours), ("simavr", simavr)):
        best = None
        for _ in range(3):
            run = subprocess.run([program, elf, "atmega328p", "200000000"], capture_output=True, text=True, check=True)
            answer = json.loads(run.stdout.splitlines()[-1])
            places.add(answer["pc"])
            rate = answer["instructions"] / answer["seconds"]
            best = max(best or 0, rate)
        rates[name] = best
    failed = len(places) != 1
    print(
        f"\navr: the core does {rates['ours'] / 1e6:.0f} million instructions per second, simavr "
        f"{rates['simavr'] / 1e6:.0f}: {rates['ours'] / rates['simavr']:.2f} times" + ("   DISAGREE" if failed else "")
    )
    return {"suite": "avr", "program": "core", "failed": failed, **rates}


def exploration(kripke, directory):
    """States per second on the examples, without the lazy stack, and with it."""
    rows = []
    for folder, source in (("window-lift", "window_lift"), ("speed", "interrupts"), ("speed", "main_loop")):
        elf = str(pathlib.Path(directory) / f"{source}.elf")
        path = HERE.parent / "examples" / "avr" / folder / f"{source}.c"
        flags = ["-mmcu=atmega16", "-std=gnu99", "-Os", "-g", "-DCHANNELS=1"]
        subprocess.run(["avr-gcc", *flags, "-o", elf, str(path)], check=True)
        for option in ("--no-lazy-stack", None):
            command = [kripke, "check", elf, *([option] if option else [])]
            started = time.perf_counter()
            run = subprocess.run(command, capture_output=True, text=True)
            seconds = time.perf_counter() - started
            states = re.search(r"all (\d+) reachable", run.stdout)
            memory = re.search(r"(\d+) MB", run.stdout)
            failed = run.returncode != 0 or not states
            stored = int(states.group(1)) if states else 0
            print(
                f"{source + ' ' + (option or 'lazy stack'):32} {stored:9d} states {seconds:7.2f} s "
                f"{stored / seconds / 1e6:6.2f} Mst/s {memory.group(1) if memory else '?':>6} MB" + ("   FAILED" if failed else "")
            )
            rows.append({"suite": "avr", "program": source, "option": option, "states": stored, "seconds": seconds, "failed": failed})
    return rows


def beside_peer(kripke, target, directory, options):
    """Both tools on the same question; the peer gets the time limit of the run."""
    peer = find_peer(target)
    rows = []
    for name, right, ours, theirs in cases(directory):
        if options.only not in name:
            continue
        started = time.perf_counter()
        run = subprocess.run([kripke, "check", *ours, "--check", "none"], capture_output=True, text=True)
        seconds = time.perf_counter() - started
        verdict = {0: "holds", 1: "violated"}.get(run.returncode, "error")
        started = time.perf_counter()
        try:
            their_run = subprocess.run([peer, *theirs], capture_output=True, text=True, timeout=options.timeout)
            their_verdict = judge_peer(their_run.returncode, their_run.stdout + their_run.stderr)
        except subprocess.TimeoutExpired:
            their_verdict = "time"
        their_seconds = time.perf_counter() - started
        print(
            f"{name:24} {verdict:9} {seconds:7.2f} s   machine-check-avr {their_verdict:9} {their_seconds:7.2f} s   "
            + (f"{their_seconds / seconds:7.0f} x" if their_verdict in (right, "time") else "      -"),
            flush=True,
        )
        rows.append({
            "suite": "avr", "program": name, "failed": verdict != right, "ours": seconds, "peer": their_seconds,
            "peer_verdict": their_verdict,
        })
    return rows


def run(kripke, target, directory, options):
    rows = [core(target, directory), *exploration(kripke, directory)]
    return rows + beside_peer(kripke, target, directory, options)
