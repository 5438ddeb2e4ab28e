"""Temporal formulas over C: the pulse oximeter of examples/ in the shape of the LTL paper's Table 3, and growth with the bound.

The paper's seconds come from another machine and its own firmware, so they are context, not a comparison. The peer, ESBMC 8.4.0,
takes LTL only through a translator and a header that do not come with it, and gives no verdict here.
"""

import json
import pathlib
import subprocess
import time
import tomllib

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"
BOUNDS = (1, 4, 10, 20)

# Seconds of Table 3: property, then for each bound the original and the seeded program; None: out of memory.
PAPER = {
    "baud_conf": [(1, 1), (1, 1), (1, 1), (2, 2)],
    "keyb_start": [(1, 1), (2, 2), (5, 4), (17, 15)],
    "serial_rx": [(1, 1), (2, 2), (7, 5), (23, 25)],
    "up_btn": [(1, 1), (1, 1), (2, 2), (3, 3)],
    "start_btn": [(1, 1), (1, 1), (2, 2), (3, 2)],
    "buflim": [(1, 1), (934, 4), (None, None), (None, None)],
}


def check(kripke, arguments, directory):
    """Runs kripke with a JSON report: the seconds it took, and the temporal result."""
    report = pathlib.Path(directory) / "temporal.json"
    started = time.monotonic()
    subprocess.run(
        [kripke, "check", *arguments, "--check", "none", "--no-lasso", "--no-k-induction", "--quiet", "--json", report],
        capture_output=True,
        cwd=directory,
        check=False,
    )
    seconds = time.monotonic() - started
    return seconds, json.loads(report.read_text())["results"][0]["temporal"]


def symbol(value):
    """A value of the lattice as the paper writes it."""
    return {"violated": "⊥", "presumably violated": "⊥ᵖ", "presumably holds": "⊤ᵖ", "holds": "⊤"}.get(value, "?")


def case_study(kripke, directory):
    """Table 3: the value and the seconds of each cell."""
    folder = EXAMPLES / "pulse-oximeter"
    program = tomllib.loads((folder / "kripke.toml").read_text())["program"][0]
    sources = [str(folder / source) for source in program["sources"]]
    rows, slowest = [], 0.0
    print("\npulse oximeter: value and seconds at each bound (with the paper's seconds)")
    for entry in program["property"]:
        defines = [f"-D{define}" for define in entry.get("define", [])]
        seconds, result = check(kripke, [*sources, *defines, "--unwind", "20", "--ltl", entry["ltl"]], directory)
        loading = seconds - sum(row["seconds"] for row in result["bounds"])
        name, _, seeded = entry["name"].partition("-")
        cells = []
        for number, bound in enumerate(BOUNDS):
            found = [row for row in result["bounds"] if row["bound"] == bound or (row["bound"] < bound and row["definite"])]
            row = found[-1]
            paper = PAPER[name][number][1 if seeded else 0]
            total = loading + row["seconds"]
            slowest = max(slowest, total)
            cells.append(f"k={bound}: {symbol(row['value']):<2} {total:5.2f} ({'MO' if paper is None else paper})")
            rows.append({"suite": "temporal", "name": entry["name"], "bound": bound, "seconds": total, "failed": False})
        print(f"  {entry['name']:<18} " + "  ".join(cells))
    print(f"  slowest cell {slowest:.2f} s, loading included")
    return rows


def growth(kripke, directory):
    """The modulo-3 counter at growing bounds."""
    print("\nmodulo-3 counter: seconds of the bound alone")
    rows = []
    for bound in (10, 100, 1000, 10000):
        source = str(EXAMPLES / "ltl-paper" / "modulo3.c")
        formula = "G({i % 2 == 0} -> F {i % 3 == 0})"
        _, result = check(kripke, [source, "--unwind", str(bound), "--ltl", formula], directory)
        seconds = result["bounds"][-1]["seconds"]
        print(f"  k={bound:<6} {symbol(result['value']):<3} {seconds:8.4f} s, {1e6 * seconds / bound:6.2f} µs for each iteration")
        rows.append({"suite": "temporal", "name": "modulo-3", "bound": bound, "seconds": seconds, "failed": False})
    return rows


def translation():
    """Automata of random formulas: how long, how large."""
    print("\ntranslation of formulas to automata", flush=True)
    subprocess.run(["cargo", "run", "--release", "-q", "-p", "kripke-logic", "--example", "translation"], check=False)


def run(kripke, directory):
    """The whole suite."""
    rows = case_study(kripke, directory) + growth(kripke, directory)
    translation()
    return rows
