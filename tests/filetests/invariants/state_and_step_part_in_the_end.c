// kripke: check
// verdict: violated
// violates: assertion@23
// As state_and_step_go_together.c, but a reset, late and seldom, leaves the step as it is.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static unsigned char state, step, resets;

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        if (input & 1) {
            static const unsigned char next[5] = {2, 4, 1, 0, 3};
            static const unsigned char turn[5] = {3, 0, 4, 2, 1};
            state = next[state];
            step = turn[step];
        }
        if (input == 0xa6 && ++resets == 3)
            state = 0;
        if (resets > 3)
            resets = 3;
        __VERIFIER_assert(state != 0 || step != 3);
    }
}
