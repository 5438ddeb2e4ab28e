//! Why a property is *unknown*, and what helps.

use kripke_model::Reason;

use super::Explanation;

/// In the order of the JSON report's documentation.
pub const ALL: &[Explanation] = &[
    BOUND,
    TIME,
    MEMORY,
    STATES,
    INTERRUPTED,
    UNSUPPORTED,
    SOLVER,
    CALLERS,
    CONTRACT,
    NOT_REPLAYED,
    NOT_CHECKED,
];

/// No wildcard: a new reason does not build until it is explained.
pub fn of(reason: &Reason) -> &'static Explanation {
    match reason {
        Reason::Bound { .. } => &BOUND,
        Reason::Time => &TIME,
        Reason::Memory => &MEMORY,
        Reason::States { .. } => &STATES,
        Reason::Interrupted => &INTERRUPTED,
        Reason::Unsupported { .. } => &UNSUPPORTED,
        Reason::NotReplayed { .. } => &NOT_REPLAYED,
        Reason::Solver { .. } => &SOLVER,
        Reason::NotChecked => &NOT_CHECKED,
        Reason::Contract { .. } => &CONTRACT,
        Reason::Callers { .. } => &CALLERS,
    }
}

const BOUND: Explanation = Explanation {
    name: "bound",
    title: "no violation within the bound, but a loop goes on past it",
    meaning: "Every run in which the loop goes on at most so often was searched, and none violates the \
        property; longer runs were not, and no induction covers them.",
    example: "kripke check main.c --unwind 4   # and a loop that can go on 100 times",
    cure: "Leave --unwind out, so that the bound grows by itself, or raise it (for one loop with \
        --unwindset); where inputs decide how long the loop goes on, give them a bound or the loop an \
        invariant (`__VERIFIER_loop_invariant(...)`).",
};

const TIME: Explanation = Explanation {
    name: "time",
    title: "the time limit was reached",
    meaning: "The search was not at its end when the time was up. What was settled by then is reported; the \
        property is neither proved nor refuted.",
    example: "kripke check main.c --timeout 10s",
    cure: "Raise --timeout; check a part of the program (--entry FUNCTION, --each-function); make inputs \
        smaller; state what you know of the loop that the report names. `--solver` tries another solver.",
};

const MEMORY: Explanation = Explanation {
    name: "memory",
    title: "the memory limit was reached",
    meaning: "The search needed more memory than it may use. What was settled by then is reported.",
    example: "kripke check main.c --memory-limit 512M",
    cure: "Raise --memory-limit; check a part of the program (--entry FUNCTION); make buffers and inputs \
        smaller where the property does not depend on their size. For firmware, `--constraint`, `--never` \
        and `--nesting` say what the environment does not do.",
};

const STATES: Explanation = Explanation {
    name: "states",
    title: "the limit of stored states was reached",
    meaning: "The exploration of a firmware has seen as many states as it may store; further states were not \
        looked at.",
    example: "kripke check firmware.elf --max-states 100000",
    cure: "Raise --max-states, or say what the environment does not do: `--constraint '(PINA & 3) == 0'`, \
        `--never INT1`, `--nesting 1`.",
};

const INTERRUPTED: Explanation = Explanation {
    name: "interrupted",
    title: "the user stopped the check",
    meaning: "Ctrl-C (or a signal) came before the search was at its end. What was settled by then is \
        reported.",
    example: "kripke check main.c   # and Ctrl-C",
    cure: "Run it again; --timeout ends a check by itself.",
};

const UNSUPPORTED: Explanation = Explanation {
    name: "unsupported",
    title: "a path reaches something that is not modelled",
    meaning: "A run that is possible comes to a construct whose meaning Kripke does not know, such as inline \
        assembly or `setjmp`. What comes behind it was never seen, so nothing is said of it.",
    example: "asm volatile(\"wfi\");\nassert(ready);",
    cure: "Put a function around the construct and declare it only for the check (`-D KRIPKE`): what has no \
        body may return anything. docs/limits.md lists what is refused.",
};

const NOT_REPLAYED: Explanation = Explanation {
    name: "not-replayed",
    title: "a violation that was found does not replay",
    meaning: "The solver found a violation, and the interpreter, which follows each before it is reported, \
        does not confirm it. That is a defect of Kripke, not of the program; the property is open.",
    example: "unknown: 1 property: a violation does not replay: the run ends without a violation",
    cure: "Please report it, with the command and the program if you can. Another solver (`--solver z3`) may \
        give an answer meanwhile.",
};

const SOLVER: Explanation = Explanation {
    name: "solver",
    title: "the solver gave up",
    meaning: "The solver answered neither that a violation is possible nor that it is impossible: it does \
        not know a function, or ended.",
    example: "kripke check main.c --solver './my-solver --smt2'",
    cure: "Use the built-in solver (leave --solver out), or see with --dump-smt2 DIR which query it was.",
};

const NOT_CHECKED: Explanation = Explanation {
    name: "not-checked",
    title: "the run stopped at the first violation",
    meaning: "A check ends where it has found something to show. The properties that were open then were not \
        looked at any further; they may hold or not.",
    example: "kripke check main.c   # and another property is violated",
    cure: "Go on after the first violation: --all. Reports for a baseline do so by themselves.",
};

const CONTRACT: Explanation = Explanation {
    name: "contract",
    title: "it rests on a contract that is not proved",
    meaning: "The property holds if the function does what its contract says, which took the place of its \
        calls; that the function keeps to the contract was not proved.",
    example: "kripke check main.c --replace-calls scaled",
    cure: "Look at the open properties of that function (its postconditions and what it assigns) first: when \
        they hold, this one does.",
};

const CALLERS: Explanation = Explanation {
    name: "callers",
    title: "it depends on how a function is called, which nothing in the program says",
    meaning: "The function violates the property for some arguments, or for some contents of the objects \
        behind its pointers. Whether a caller passes them is not known: no caller is among the sources.",
    example: "int get(const int *table, unsigned i) { return table[i]; }   // with --each-function",
    cure: "State what callers grant (`__CPROVER_requires(i < 8)`), check the arguments in the function, or \
        add the sources of its callers.",
};
