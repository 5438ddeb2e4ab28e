"""Suite `explicit`: the generic checkers beside SPIN on the same toy models.

The models are written twice, in Rust (crates/explicit/tests/toys) and in Promela (benches/explicit); the numbers of
states and transitions must be equal. SPIN runs as `spin -a`, `gcc -O2`, without partial-order reduction, which is
another technique; its hash table gets the size that fits the model. For LTL the products differ, as the
automata do, so time is compared; SPIN's nested search is `pan -a`.

A second table has the ways to store states: ours plain and as a tree, by one thread and by two; SPIN's as they
are, compressed (`-DCOLLAPSE`, `-DMA`) and on two cores (`-DNCORE=2`).
"""

import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Model, size, logarithm of SPIN's hash table, its search depth.
MODELS = [
    ("peterson", 4, 17, 10**6),
    ("peterson", 5, 23, 6 * 10**6),
    ("philosophers", 10, 21, 4 * 10**6),
    ("election", 10, 15, 10**5),
    ("election", 13, 19, 10**5),
]


def build_ours(target):
    command = [os.environ.get("CARGO", "cargo"), "build", "--quiet", "--release"]
    subprocess.run([*command, "--package", "kripke-explicit", "--example", "toys"], check=True, cwd=HERE.parent)
    return str(target / "release" / "examples" / "toys")


def build_pan(directory, model, size, kind, more=()):
    """SPIN's verifier for one model."""
    folder = pathlib.Path(directory) / "_".join([model, str(size), kind, *more])
    if folder.exists():
        return str(folder / "pan")
    folder.mkdir()
    source = HERE / "explicit" / f"{model}.pml"
    subprocess.run(["spin", "-a", f"-DN={size}", str(source)], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    flags = ["-DNOREDUCE", "-DMEMLIM=16000"] + (["-DSAFETY", "-DNOCLAIM"] if kind == "safety" else [])
    subprocess.run(["gcc", "-O2", *flags, *more, "-o", "pan", "pan.c"], check=True, cwd=folder)
    return str(folder / "pan")


def number(pattern, text, missing=float("nan")):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else missing


def judge_ours(status, text):
    if status != 0:
        return f"error {status}", {}
    answer = json.loads(text)
    return "holds" if answer["holds"] else "violated", answer


def judge_spin(status, text):
    errors = re.search(r"errors: (\d+)", text)
    if status != 0 or not errors or "max search depth too small" in text or "out of memory" in text:
        return f"error {status}", {}
    stored = number(r"(\d+) states, stored", text)
    megabytes = number(r"([\d.]+)\s+actual memory usage", text) + number(r"([\d.]+)\s+memory used for hash", text, 0)
    return "holds" if errors.group(1) == "0" else "violated", {
        "stored": stored,
        "transitions": number(r"(\d+) transitions", text),
        "bytes": megabytes * 1e6,
    }


def best_of(measure, command, judge, options):
    """The fastest of some runs, its verdict, and what the tool says about itself."""
    answers = []

    def note(status, text):
        verdict, answer = judge(status, text)
        answers.append(answer)
        return verdict

    measured = measure(command, note, options.timeout, options.runs)
    return measured, answers[-1] if answers else {}


def run(measure, geometric_mean, directory, target, options):
    toys = build_ours(target)
    version = subprocess.run(["spin", "-V"], capture_output=True, text=True).stdout.strip()
    print(f"\nexplicit: ours beside {version}, gcc -O2, no reduction")
    print(f"{'model':24} {'states':>10} {'ours: s':>8} {'Mst/s':>6} {'B/st':>6}   {'spin: s':>8} {'Mst/s':>6} {'B/st':>6}   {'time x':>7} {'mem x':>6}")
    rows = []
    for kind in ("safety", "ltl"):
        for model, size, table, depth in MODELS:
            name = f"{model}_{size}_{kind}"
            if options.only in name:
                rows.append(compare(measure, directory, toys, (model, size, table, depth), kind, options))
        ratios = [row for row in rows if row["kind"] == kind and not row["failed"]]
        if ratios:
            print(
                f"{kind}, geometric mean of {len(ratios)}: {geometric_mean([row['time_ratio'] for row in ratios]):.1f} times faster, "
                f"{geometric_mean([row['memory_ratio'] for row in ratios]):.1f} times less memory"
            )
    stores(measure, directory, toys, options)
    return rows


OUR_STORES = [("plain", ["plain", "1"]), ("plain, 2 threads", ["plain", "2"]), ("tree", ["tree", "1"]), ("tree, 2 threads", ["tree", "2"])]
SPIN_STORES = [("spin", []), ("-DCOLLAPSE", ["-DCOLLAPSE"]), ("-DMA=100", ["-DMA=100"]), ("-DNCORE=2", ["-DNCORE=2"])]


def stores(measure, directory, toys, options):
    """Seconds and bytes of a state for each way to store them."""
    print("\nstores, safety: seconds and bytes a state")
    for model, size, table, depth in MODELS:
        name = f"{model}_{size}"
        if options.only not in f"{name}_safety":
            continue
        print(name)
        for label, store in OUR_STORES:
            command = [toys, model, str(size), "safety", *store]
            print_store(label, best_of(measure, command, judge_ours, options))
        for label, flags in SPIN_STORES:
            pan = build_pan(directory, model, size, "safety", flags)
            print_store(label, best_of(measure, [pan, f"-m{depth}", f"-w{table}", "-E"], judge_spin, options))


def print_store(label, of):
    measured, numbers = of
    if not measured.solved():
        print(f"    {label:18} {measured.verdict}", flush=True)
        return
    per_state = numbers["bytes"] / numbers["stored"]
    print(f"    {label:18} {measured.seconds:8.2f} s {per_state:8.1f} B  {numbers['stored']:.0f} states", flush=True)


def compare(measure, directory, toys, case, kind, options):
    model, size, table, depth = case
    pan = build_pan(directory, model, size, kind)
    search = ["-E"] if kind == "safety" else ["-a", "-E"]
    # SPIN's depth counts steps of the claim too.
    depth = depth if kind == "safety" else 3 * depth
    ours, our_numbers = best_of(measure, [toys, model, str(size), kind], judge_ours, options)
    theirs, their_numbers = best_of(measure, [pan, f"-m{depth}", f"-w{table}", *search], judge_spin, options)
    both = ours.solved() and theirs.solved()
    # Ours counts the initial state among the created ones.
    same = kind == "ltl" or both and (
        our_numbers["stored"] == their_numbers["stored"]
        and our_numbers["created"] == their_numbers["transitions"]
    )
    failed = not ours.solved() or both and ours.verdict != theirs.verdict or both and not same
    row = {
        "suite": "explicit", "kind": kind, "program": f"{model}_{size}", "failed": failed,
        "ours": vars(ours), "peer": vars(theirs), "our_numbers": our_numbers, "peer_numbers": their_numbers,
        "time_ratio": theirs.seconds / ours.seconds, "memory_ratio": theirs.megabytes / ours.megabytes,
    }
    if both:
        cells = [
            f"{measured.seconds:8.2f} {numbers[count] / measured.seconds / 1e6:6.2f} {numbers['bytes'] / numbers['stored']:6.0f}"
            for measured, numbers, count in ((ours, our_numbers, "product"), (theirs, their_numbers, "stored"))
        ]
        print(
            f"{model + '_' + str(size) + ' ' + kind:24} {our_numbers['product']:10d} {cells[0]}   {cells[1]}   "
            f"{row['time_ratio']:7.1f} {row['memory_ratio']:6.1f}" + ("   DISAGREE" if failed else ""),
            flush=True,
        )
    else:
        print(f"{model}_{size} {kind}: ours {ours.verdict}, spin {theirs.verdict}", file=sys.stderr)
    return row
