"""Suite `threads`: programs with threads beside the peer, and handlers of interrupts, which only ours knows.

- The bicycle computer (examples/bicycle.c), three threads that run for ever. Ours is complete: any number of
  steps and of switches. The peer gets a bound of both: --unwind 2 and --context-bound 1 to 3.
- `counter_NxM`: N threads that count M times each under a lock; `buffer_N`: a producer and a consumer that
  move N numbers through a ring of two places with a mutex and two condition variables; `buffer_NxN`: N of
  both, a number each. Both tools check all schedules, the peer without a bound of switches and without its
  search for deadlocks, which more than triples their number. A family goes on to larger programs until
  neither tool settles one within the time; what one does not settle it is not asked in larger ones ("left
  out").
- Schedules one by one (`--explore interleavings`), with and without state hashing and reduction, after the table
  of the paper on hashing: Figure 3 of that paper with more and more switches of threads, and N threads that add
  to one variable and end. Ours only.
- `handlers_HxN`: an endless loop of N accesses to what H handlers write. With one handler, time must grow no
  worse than linearly with N.
"""

import itertools
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
BICYCLE = HERE.parent / "examples" / "bicycle.c"
FIGURE_3 = HERE.parent / "examples" / "threads" / "figure3.c"

OURS = ["--memory-limit", "4G"]
# What waits in a loop needs more than any bound of loops: the peer assumes that it does not go on for longer.
PEER = ["--no-unwinding-assertions", "--memlimit", "4g"]
RACES = ["--data-races-check", "--data-races-check-only"]
# What else a growth may be than that of the size: start-up and a machine that others use.
SLACK = 1.5


def main_of(functions, claim):
    """Starts a thread for each function, waits for all, and claims something."""
    return [
        "int main(void)",
        "{",
        f"    pthread_t threads[{len(functions)}];",
        *(f"    pthread_create(&threads[{i}], 0, {function}, 0);" for i, function in enumerate(functions)),
        *(f"    pthread_join(threads[{i}], 0);" for i in range(len(functions))),
        f"    assert({claim});",
        "    return 0;",
        "}",
        "",
    ]


def counter(threads, rounds):
    """Threads that count under a lock."""
    return "\n".join([
        "#include <assert.h>",
        "#include <pthread.h>",
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;",
        "static unsigned count;",
        "static void *counter(void *unused)",
        "{",
        f"    for (int i = 0; i < {rounds}; i++) {{",
        "        pthread_mutex_lock(&lock);",
        "        count++;",
        "        pthread_mutex_unlock(&lock);",
        "    }",
        "    return unused;",
        "}",
        *main_of(["counter"] * threads, f"count == {threads * rounds}"),
    ])


def buffer(pairs, items):
    """Producers and consumers that move numbers through a ring of two places."""
    return "\n".join([
        "#include <assert.h>",
        "#include <pthread.h>",
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;",
        "static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;",
        "static unsigned used, moved;",
        "static void *producer(void *unused)",
        "{",
        f"    for (int i = 0; i < {items}; i++) {{",
        "        pthread_mutex_lock(&lock);",
        "        while (used == 2)",
        "            pthread_cond_wait(&emptied, &lock);",
        "        used++;",
        "        pthread_cond_signal(&filled);",
        "        pthread_mutex_unlock(&lock);",
        "    }",
        "    return unused;",
        "}",
        "static void *consumer(void *unused)",
        "{",
        f"    for (int i = 0; i < {items}; i++) {{",
        "        pthread_mutex_lock(&lock);",
        "        while (used == 0)",
        "            pthread_cond_wait(&filled, &lock);",
        "        assert(used <= 2);",
        "        used--;",
        "        moved++;",
        "        pthread_cond_signal(&emptied);",
        "        pthread_mutex_unlock(&lock);",
        "    }",
        "    return unused;",
        "}",
        *main_of(["producer", "consumer"] * pairs, f"moved == {pairs * items} && used == 0"),
    ])


def handlers(count, accesses):
    """An endless loop of accesses to what handlers write."""
    return "\n".join([
        "#include <assert.h>",
        "unsigned char converted(void);",
        *(
            f"static volatile unsigned char sample{i};\nvoid handler{i}(void) {{ sample{i} = converted() & 63; }}"
            for i in range(count)
        ),
        "int main(void)",
        "{",
        "    unsigned char last = 0;",
        "    for (;;) {",
        *(f"        last = sample{i % count};" for i in range(accesses)),
        "        assert(last < 64);",
        "    }",
        "}",
        "",
    ])


def bicycle():
    """(name, right answer, kripke's arguments, peer's arguments); the peer's bounds are in the name."""
    for switches in (1, 2, 3):
        bounds = ["--context-bound", str(switches), "--unwind", "2"]
        peer = [str(BICYCLE), *bounds, "--deadlock-check", *PEER]
        yield f"bicycle_context_{switches}", "holds", [str(BICYCLE), *OURS], peer
    # Within one switch there is no race.
    bounds = ["--context-bound", "2", "--unwind", "2"]
    race = [str(BICYCLE), "-D", "SEED_RACE"]
    ours = [*race, "--check", "data-race", *OURS]
    yield "bicycle_race_context_2", "violated", ours, [*race, *bounds, *RACES, *PEER]


def families(directory, is_quick):
    """Programs that grow: lists of cases, each from the smallest on."""
    most = 3 if is_quick else 8

    def case(name, text, unwind):
        file = pathlib.Path(directory) / f"{name}.c"
        file.write_text(text)
        return name, "holds", [str(file), *OURS], [str(file), "--unwind", str(unwind), *PEER]

    yield [case(f"counter_{n}x1", counter(n, 1), 2) for n in range(2, most)]
    yield [case(f"counter_2x{m}", counter(2, m), m + 1) for m in (2, 4, 8, 16, 32)[: most - 1]]
    # Each number makes a thread wait and wake up a few times at most.
    yield [case(f"buffer_{m}", buffer(1, m), m + 3) for m in (1, 2, 4, 8, 16)[: most - 1]]
    yield [case(f"buffer_{n}x{n}", buffer(n, 1), 5) for n in range(2, min(most, 4))]


def grow(cases, compare, options):
    """Asks each tool about larger and larger programs until it does not settle one; the rows."""
    rows, gives_up = [], set()
    for name, right, ours, peer in cases:
        if options.only not in name:
            continue
        ours, peer = (None if tool in gives_up else asked for tool, asked in (("ours", ours), ("peer", peer)))
        row = compare("threads", (name, right, ours, peer))
        rows.append(row)
        gives_up |= {tool for tool in ("ours", "peer") if row[tool]["verdict"] not in ("holds", "violated")}
        if len(gives_up) == 2:
            break
    return rows


def furthest(rows):
    """The largest program of a family that each tool settles."""
    largest = {"ours": "none", "peer": "none"}
    for row in rows:
        for tool in largest:
            if row[tool]["verdict"] in ("holds", "violated") and tool not in row["wrong"]:
                largest[tool] = row["program"]
    return f"largest: ours {largest['ours']}, peer {largest['peer']}"


def interrupts(kripke, measure, judge, directory, options):
    """Handlers beside a loop of more and more accesses: ours only."""
    sizes = (20, 100) if options.quick else (20, 100, 500, 2000)
    print("\ninterrupts: seconds with 1, 2 and 3 handlers (ours only)")
    rows, solved = [], {}
    for accesses in sizes:
        cells = []
        for count in (1, 2, 3):
            name = f"handlers_{count}x{accesses}"
            if options.only not in name or (count, "open") in solved:
                cells.append(f"{'-':>16}")
                continue
            file = pathlib.Path(directory) / f"{name}.c"
            file.write_text(handlers(count, accesses))
            named = [part for i in range(count) for part in ("--interrupt", f"handler{i}")]
            limits = ["--quiet", "--timeout", f"{options.timeout}s", *OURS]
            command = [kripke, "check", str(file), *named, *limits]
            measured = measure(command, judge, options.timeout + 5, options.runs)
            solved[count if measured.solved() else (count, "open")] = (accesses, measured)
            linear = True
            if count == 1 and measured.solved() and rows:
                before = next((row for row in reversed(rows) if row["program"].startswith("handlers_1x")), None)
                size = int(re.search(r"x(\d+)$", before["program"])[1]) if before else accesses
                linear = not before or measured.seconds <= SLACK * accesses / size * before["ours"]["seconds"]
            cells.append(f"{measured.verdict:>8} {measured.seconds:6.2f}" + ("" if linear else "!"))
            rows.append({
                "suite": "threads", "program": name, "failed": measured.verdict == "violated" or not linear,
                "ours": vars(measured), "wrong": ["ours"] if measured.verdict == "violated" else [],
            })
        print(f"{accesses:6} accesses  " + "  ".join(cells), flush=True)
    if any(row["failed"] for row in rows):
        print("WRONG, or worse than linear with one handler (!)")
    return rows


def adders(threads):
    """Threads that add to one variable once; the program ends with the last of them."""
    return "\n".join([
        "#include <pthread.h>",
        "#include <stdatomic.h>",
        "static atomic_int sum;",
        "static void *run(void *unused) { sum++; return unused; }",
        "int main(void)",
        "{",
        f"    for (int i = 0; i < {threads}; i++) {{",
        "        pthread_t thread;",
        "        pthread_create(&thread, 0, run, 0);",
        "    }",
        "    pthread_exit(0);",
        "}",
        "",
    ])


def schedules(kripke, measure, judge, directory, options):
    """Each schedule by itself, with and without state hashing and reduction: ours only."""
    def verdict_and_counts(status, text):
        found = re.search(r"(\d+) interleavings?, (\d+) of them left", text)
        counts = f"{found[1]} ({found[2]} left)" if found else "-"
        return f"{judge(status, text)} {counts}"

    cases = [(f"figure_3_context_{n}", FIGURE_3, ["--context-bound", str(n)]) for n in (1, 2, 3, 4)]
    cases.append(("figure_3", FIGURE_3, []))
    for number in (1, 2, 3):
        file = pathlib.Path(directory) / f"adders_{number}.c"
        file.write_text(adders(number))
        cases.append((f"adders_{number}", file, []))
    print("\nschedules one by one: verdict, interleavings and seconds with and without state hashing, "
          "then the same with the reduction (ours only)")
    rows = []
    for name, file, more in cases:
        if options.only not in name:
            continue
        cells = []
        # Where switches are counted there is no reduction.
        reductions = ("off",) if more else ("off", "on")
        for reduction, hashing in itertools.product(reductions, ("on", "off")):
            limits = ["--quiet", "--timeout", f"{options.timeout}s", *OURS]
            asked = ["--explore", "interleavings", "--state-hashing", hashing, *more]
            asked += ["--partial-order-reduction", reduction]
            command = [kripke, "check", str(file), *asked, *limits]
            measured = measure(command, verdict_and_counts, options.timeout + 5, options.runs)
            cells.append(f"{measured.verdict:>34} {measured.seconds:8.2f}")
            rows.append({
                "suite": "threads", "program": f"{name} hashing {hashing} reduction {reduction}",
                "failed": measured.verdict.startswith("violated"),
                "ours": vars(measured), "wrong": ["ours"] if measured.verdict.startswith("violated") else [],
            })
        print(f"{name:24} " + "  ".join(cells), flush=True)
    return rows


def run(kripke, measure, judge, compare, summary, directory, options):
    """The whole suite; the rows."""
    rows = [compare("threads", case) for case in bicycle() if options.only in case[0]]
    for cases in families(directory, options.quick):
        grown = grow(cases, compare, options)
        if grown:
            print(furthest(grown))
        rows += grown
    summary(rows)
    rows += schedules(kripke, measure, judge, directory, options)
    return rows + interrupts(kripke, measure, judge, directory, options)
