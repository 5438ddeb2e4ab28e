"""Suite `reductions`: the state spaces of the examples under each technique, in the layout of table 8.1 of the
thesis, beside its numbers.

The programs are ours, written after the thesis's descriptions; they do not have the same number of instructions. What
can be compared is what a technique leaves of a state space. The thesis's times are of a machine of 2008.
"""

import pathlib
import re
import subprocess
import time
import tomllib

STANDARD = ["--nondeterminism", "immediate", "--no-lazy-stack", "--no-path-reduction", "--no-dead-variable-reduction"]

# What the thesis calls the techniques, and how they are asked for. Dead variables need the lazy stack here.
TECHNIQUES = [
    ("standard", STANDARD),
    ("DND", ["--nondeterminism", "delayed", *STANDARD[2:]]),
    ("DVR", ["--nondeterminism", "immediate", "--no-path-reduction"]),
    ("PR", [*STANDARD[:3], "--no-interrupt-reduction", "--no-dead-variable-reduction"]),
    ("DVR & PR", ["--nondeterminism", "immediate", "--no-interrupt-reduction"]),
    ("all", ["--no-interrupt-reduction"]),
    ("all and interrupts", []),
]

# Program, then stored states, created states and seconds in the thesis for all techniques but the last.
PROGRAMS = [
    ("light-switch", "light_switch", [
        (6282, 8979, 0.13), (352, 380, 0.01), (4762, 6388, 0.07), (1670, 18926, 0.34), (960, 11749, 0.27), (45, 262, 0.01)]),
    ("plant", "plant", [
        (175944, 183325, 2.81), (175944, 183325, 2.81), (175944, 183325, 2.83), (9844, 218022, 2.82), (9844, 218022, 2.82),
        (9844, 218022, 2.82)]),
    ("reentrance", "reentrance", [
        (107649, 110961, 1.68), (107649, 110961, 1.68), (107649, 110961, 1.68), (6631, 122999, 1.54), (6631, 122999, 1.54),
        (6631, 122999, 1.54)]),
    ("traffic-light", "traffic_light", [
        (9998, 10514, 0.2), (9998, 10514, 0.2), (9998, 10514, 0.2), (522, 12812, 0.2), (522, 12812, 0.2), (522, 12812, 0.2)]),
    ("window-lift", "window_lift", [
        (2342564, 2589665, 62), (316334, 442055, 6.04), (303148, 331456, 5.23), (123989, 3884075, 48), (15687, 506237, 6.23),
        (5232, 217577, 2.62)]),
]


def build(root, folder, name):
    """Builds a program as its project says."""
    folder = pathlib.Path(root) / "examples" / "avr" / folder
    project = tomllib.loads((folder / "kripke.toml").read_text())
    for program in project["program"]:
        if program["firmware"] == f"{name}.elf":
            for command in program["build"]:
                subprocess.run(command, shell=True, cwd=folder, check=True)


def explore(kripke, root, program, options, timeout):
    """Stored states, created states, bytes of a state and seconds; none if there was no time."""
    folder, name = program
    command = [kripke, "states", f"examples/avr/{folder}/{name}.elf", "--timeout", f"{timeout}s", *options]
    started = time.monotonic()
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    seconds = time.monotonic() - started
    found = [re.search(pattern, done.stdout) for pattern in (r"(\d+) states,", r"(\d+) transitions", r"(\d+) bytes")]
    if done.returncode or not all(found):
        return None
    return (*(int(match[1]) for match in found), seconds)


def told(figures, first):
    """Cells for stored states, created states, seconds, and how many of the first row's states are not stored."""
    if figures is None:
        return ["-"] * 4
    stored, created, seconds = figures[0], figures[1], figures[-1]
    saved = f"{100 - 100 * stored / first:.2f}" if first else "-"
    return [f"{stored:,}", f"{created:,}", f"{seconds:.2f}", saved]


def run(kripke, root, timeout):
    """Prints the table; the rows for the file of results."""
    print(f"\nreductions: table 8.1 of the thesis and ours, {timeout} s each; % is the reduction of stored states")
    print(f"{'program':14} {'technique':19} {'stored':>10} {'created':>11} {'s':>7} {'%':>6}"
          f"   {'thesis':>10} {'created':>10} {'s':>6} {'%':>6}")
    rows = []
    for folder, name, thesis in PROGRAMS:
        firsts = None
        build(root, folder, name)
        for number, (technique, options) in enumerate(TECHNIQUES):
            ours = explore(kripke, root, (folder, name), options, timeout)
            theirs = thesis[number] if number < len(thesis) else None
            if number == 0:
                firsts = (ours and ours[0], theirs[0])
            own, other = told(ours, firsts[0]), told(theirs, firsts[1])
            print(f"{folder if number == 0 else '':14} {technique:19} {own[0]:>10} {own[1]:>11} {own[2]:>7} {own[3]:>6}"
                  f"   {other[0]:>10} {other[1]:>10} {other[2]:>6} {other[3]:>6}", flush=True)
            rows.append({"suite": "reductions", "program": f"{folder}, {technique}", "failed": False, "both": False,
                         "ours": ours, "thesis": theirs})
    return rows
