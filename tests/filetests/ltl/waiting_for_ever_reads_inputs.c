// kripke: check --check none --unwind 3
// verdict: violated
// ltl: p: F {x == 2}
// violates: p
// prints: without a letter: the last one repeats
/* The wait reads an input each time round: a trace of very many steps, to be put together quickly. */
_Bool __VERIFIER_nondet_bool(void);

int x;

int main(void) {
    int t = 0;
    x = 1;
    while (1) {
        t = __VERIFIER_nondet_bool();
    }
    return t;
}
