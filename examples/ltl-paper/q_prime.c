/* Q' of section 3.3: q holds from the start, so that no run can break the formula. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

int p = 0;
int q = 1;

int main(void) {
    p = 1;
    if (__VERIFIER_nondet_bool()) {
        p = 0;
    }
    if (__VERIFIER_nondet_bool()) {
        q = 1;
    }
    return 0;
}
