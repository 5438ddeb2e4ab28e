/* Contracts of loops and functions in the spellings of other tools, for every C source. See
   crates/llvm/src/contracts/mod.rs and functions.rs.
   What a program or an option has defined itself stays as it is. */
#pragma clang system_header
#ifndef KRIPKE_CONTRACTS_H
#define KRIPKE_CONTRACTS_H

/* The callee of a call is evaluated before its arguments: a call for it marks where the expression begins.
   Declarations of the function (`void __VERIFIER_loop_invariant(int);`) become declarations of one that
   returns a pointer to such a function. */
#ifndef __VERIFIER_loop_invariant
#define __VERIFIER_loop_invariant (*__VERIFIER_loop_invariant())
#endif
#ifndef __ESBMC_loop_invariant
#define __ESBMC_loop_invariant (*__ESBMC_loop_invariant())
extern void __ESBMC_loop_invariant(_Bool);
#endif

/* A clause stands between a loop's head and its body: a statement that has the body as its last part. */
#ifndef __CPROVER_loop_invariant
extern void (*__CPROVER_loop_invariant())(_Bool);
#define __CPROVER_loop_invariant(...) \
    if ((*__CPROVER_loop_invariant())(__VA_ARGS__), 0) { \
    } else
#endif

/* Clauses of functions: annotations of the function, or of a variable in it, with the clause's text as it is
   written, and with the macros of its place expanded. */
#define KRIPKE_TEXT_OF(...) #__VA_ARGS__
#define KRIPKE_TEXT(...) KRIPKE_TEXT_OF(__VA_ARGS__)
#define KRIPKE_CLAUSE(kind, written, text) \
    __attribute__((annotate("kripke " kind " " KRIPKE_TEXT(__LINE__) " " __FILE__ "\n" written "\n" text)))
#define KRIPKE_STATEMENT(kind, written, text) \
    ({ \
        KRIPKE_CLAUSE(kind, written, text) char kripke_clause; \
        (void)&kripke_clause; \
    })
#ifndef __CPROVER_requires
#define __CPROVER_requires(...) KRIPKE_CLAUSE("requires", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __CPROVER_ensures
#define __CPROVER_ensures(...) KRIPKE_CLAUSE("ensures", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __ESBMC_requires
#define __ESBMC_requires(...) KRIPKE_STATEMENT("requires", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __ESBMC_ensures
#define __ESBMC_ensures(...) KRIPKE_STATEMENT("ensures", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __VERIFIER_requires
#define __VERIFIER_requires(...) KRIPKE_STATEMENT("requires", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __VERIFIER_ensures
#define __VERIFIER_ensures(...) KRIPKE_STATEMENT("ensures", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __ESBMC_assigns
#define __ESBMC_assigns(...) KRIPKE_STATEMENT("assigns", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#ifndef __VERIFIER_assigns
#define __VERIFIER_assigns(...) KRIPKE_STATEMENT("assigns", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif

/* What a loop modifies is found out, whatever a clause says; nobody asks whether a loop ends. A source in
   which the attribute stands before a loop's body is compiled again with KRIPKE_ASSIGNS_OF_LOOPS. */
#define KRIPKE_WARNING(text) _Pragma(KRIPKE_TEXT(GCC warning text))
#ifndef __CPROVER_assigns
#ifdef KRIPKE_ASSIGNS_OF_LOOPS
#define __CPROVER_assigns(...) KRIPKE_WARNING("__CPROVER_assigns is neither checked nor used")
#else
#define __CPROVER_assigns(...) KRIPKE_CLAUSE("assigns", #__VA_ARGS__, KRIPKE_TEXT(__VA_ARGS__))
#endif
#endif
#ifndef __CPROVER_frees
#define __CPROVER_frees(...) _Pragma("GCC error \"__CPROVER_frees is not supported\"")
#endif
#ifndef __CPROVER_decreases
#define __CPROVER_decreases(...) \
    KRIPKE_WARNING("__CPROVER_decreases is not checked: nothing is said about termination")
#endif
#ifndef __ESBMC_loop_assigns
#define __ESBMC_loop_assigns(...) \
    KRIPKE_WARNING("__ESBMC_loop_assigns is neither checked nor used") \
    ((void)0)
#endif

#ifndef __CPROVER_forall
#define __CPROVER_forall _Pragma("GCC error \"quantifiers (__CPROVER_forall) are not supported\"")
#endif
#ifndef __CPROVER_exists
#define __CPROVER_exists _Pragma("GCC error \"quantifiers (__CPROVER_exists) are not supported\"")
#endif
#ifndef __CPROVER_loop_entry
#define __CPROVER_loop_entry(...) \
    _Pragma("GCC error \"__CPROVER_loop_entry is not supported: keep the value in a variable\"")
#endif

#endif
