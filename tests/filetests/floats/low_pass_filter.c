// kripke: check --unwind 4
// verdict: holds

#include <assert.h>
float nondet_float(void);
void __VERIFIER_assume(int);

int main(void)
{
    float state = 0;
    for (int i = 0; i < 3; i++) {
        float input = nondet_float();
        __VERIFIER_assume(input >= 0 && input <= 1);
        state = 0.5f * state + 0.5f * input;
        assert(state >= 0 && state <= 1);
    }
    return 0;
}
