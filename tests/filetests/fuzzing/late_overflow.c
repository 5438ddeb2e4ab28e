// kripke: check --timeout 30s
// verdict: violated
// violates: overflow@17
// An endless loop goes wrong after two thousand of its iterations at least: runs come there, bounds do not.
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

int main(void) {
    short distance = 0;
    int total = 2147000000;
    for (;;) {
        if (__VERIFIER_nondet_bool())
            distance++;
        if (distance == 300) {
            distance = 0;
            total += 60000;
        }
    }
}
