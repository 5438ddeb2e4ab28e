/* Q'' of section 3.3: p is never taken back, but q may never come. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

int p = 0;
int q = 0;

int main(void) {
    p = 1;
    if (__VERIFIER_nondet_bool()) {
        q = 1;
    }
    return 0;
}
