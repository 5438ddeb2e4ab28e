"""Table 8.3 of the thesis and ours: three programs that measure speeds, three properties of each, and what it found.

The programs in examples/avr/speed are ours, written after the thesis's descriptions, with the same errors; the thesis
had them checked on a machine of 2008, all techniques on. Its program 1 has the first error, and the third one, which
shows when the first is mended; program 2 has the second one. A property that is violated is shown for the program with
its error, and those marked * for the one without.
"""

import pathlib
import re
import subprocess
import time

import reductions

FAST = "(G F {status == 1} && G F {status == 2}) -> G({(SREG & 0x80) && freq0 >= 502} -> F {PORTC == 251})"
STACK = ["--property", "stack-overflow"]

# Program and property in the thesis; the firmware, and how it is asked; verdict, stored states, seconds and bytes of
# stack there.
ROWS = [
    (1, "stack", "interrupts_nested", STACK, ("violated", 47_440_000, None, None)),
    (1, "speed <= 251 *", "interrupts", ["--invariant", "{PORTC <= 251}"], ("holds", 8_507_012, 4753, 22)),
    (1, "fast is 251", "interrupts_narrow", ["--ltl", FAST], ("violated", 262_163, 99, 18)),
    (2, "stack", "spread", STACK, ("holds", 85_297_279, 29120, 7)),
    (2, "speed <= 251", "spread", ["--invariant", "{PORTA <= 251}"], ("violated", 4_070, 1.7, 7)),
    (2, "fast is 251 *", "spread_fixed",
     ["--ltl", "(G F {PORTB & 1}) -> G({(SREG & 0x80) && counter0 >= 250} -> F {PORTA == 251})"],
     ("holds", 86_787_103, 28717, 7)),
    (3, "stack", "main_loop", STACK, ("holds", 7_012_375, 5067, 10)),
    (3, "speed <= 251", "main_loop", ["--invariant", "{DDRC == 0 || (velocity <= 251 && PORTC <= 251)}"],
     ("holds", 7_012_375, 5620, 10)),
    (3, "fast is 251", "main_loop", ["--ctl", "AG({DDRC != 0 && frequency[0] >= 9} -> AF {velocity == 251})"],
     ("holds", 7_012_375, 5651, 10)),
]


def check(kripke, firmware, question, timeout):
    """The verdict, the states that were stored where all were seen, and seconds."""
    only = [] if question == STACK else ["--check", "none"]
    command = [kripke, "check", firmware.name, *only, *question, "--timeout", f"{timeout}s"]
    started = time.monotonic()
    done = subprocess.run(command, cwd=firmware.parent, capture_output=True, text=True)
    seconds = time.monotonic() - started
    stored = re.search(r"all (\d+) reachable states", done.stdout)
    verdict = {0: "holds", 1: "violated", 2: "unknown"}.get(done.returncode, "error")
    return verdict, int(stored[1]) if stored else None, seconds


def stack_of(kripke, firmware):
    """The most bytes of stack, as `kripke stack` finds them."""
    done = subprocess.run([kripke, "stack", firmware.name], cwd=firmware.parent, capture_output=True, text=True)
    found = re.search(r"at most (\d+) of", done.stdout)
    return int(found[1]) if found else None


def cells(figures):
    verdict, stored, seconds, stack = figures
    return (f"{verdict:>8} {'-' if stored is None else f'{stored:,}':>10} "
            f"{'-' if seconds is None else f'{seconds:.2f}':>8} {'-' if stack is None else stack:>5}")


def run(kripke, root, timeout):
    """Prints the table; the rows for the file of results."""
    folder = pathlib.Path(root) / "examples" / "avr" / "speed"
    for name in dict.fromkeys(row[2] for row in ROWS):
        reductions.build(root, "speed", name)
    print(f"\nspeed: table 8.3 of the thesis and ours, {timeout} s each; * after an error was mended")
    print(f"{'program':7} {'property':15} {'ours':>8} {'stored':>10} {'s':>8} {'stack':>5}"
          f"   {'thesis':>8} {'stored':>10} {'s':>8} {'stack':>5}")
    rows = []
    for program, name, firmware, question, thesis in ROWS:
        file = folder / f"{firmware}.elf"
        ours = (*check(kripke, file, question, timeout), stack_of(kripke, file))
        print(f"{program:<7} {name:15} {cells(ours)}   {cells(thesis)}", flush=True)
        rows.append({"suite": "reductions", "program": f"speed {program}, {name}", "failed": ours[0] != thesis[0],
                     "both": False, "ours": ours, "thesis": thesis})
    return rows
