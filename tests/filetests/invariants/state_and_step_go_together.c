// kripke: check
// verdict: holds
// Of two numbers with five values each only some combinations are reached, and no shape says which.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static unsigned char state, step;

int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_uchar() & 1) {
            static const unsigned char next[5] = {2, 4, 1, 0, 3};
            static const unsigned char turn[5] = {3, 0, 4, 2, 1};
            state = next[state];
            step = turn[step];
        }
        __VERIFIER_assert(state != 1 || step != 3);
        __VERIFIER_assert(state != 4 || step != 0);
    }
}
