// kripke: check
// verdict: violated
// violates: assertion@17
// Only one value of the input leads into the eleventh round of the inner loop in the third of the outer one.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char rounds = __VERIFIER_nondet_uchar();
    if (rounds % 16 > 3 || rounds / 16 > 11)
        return 0;
    unsigned seen = 0;
    for (unsigned i = 0; i < rounds % 16u; i++)
        for (unsigned j = 0; j < rounds / 16u; j++) {
            seen++;
            assert(i != 2 || j != 10 || seen != 33);
        }
    return 0;
}
