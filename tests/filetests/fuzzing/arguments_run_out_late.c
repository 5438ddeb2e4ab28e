// kripke: check --timeout 30s
// verdict: violated
// violates: bounds@21
// Now and then a conversion has one character only: the arguments run out.
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);

enum { CHARACTERS = 2000 };

static unsigned arguments[CHARACTERS / 2];

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), taken = 0, sum = 0;
    if (count > CHARACTERS)
        return 0;
    for (unsigned at = 0; at + 1 < count; at++) {
        if (__VERIFIER_nondet_bool()) {
            at += at % 7 != 0;
            sum += arguments[taken++];
        }
    }
    return sum == 0;
}
