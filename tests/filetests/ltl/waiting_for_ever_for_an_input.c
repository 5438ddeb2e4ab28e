// kripke: check --check none
// verdict: violated
// ltl: p: F {done}
// violates: p
/* The wait goes on for ever while the input is true; a run whose inputs stop coming would leave it. */
_Bool __VERIFIER_nondet_bool(void);

int done;

int main(void) {
    while (__VERIFIER_nondet_bool())
        ;
    done = 1;
    return 0;
}
