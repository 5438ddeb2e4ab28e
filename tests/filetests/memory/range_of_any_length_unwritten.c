// kripke: check
// verdict: violated
// violates: uninitialised@18
// Only what was set has a value.
#include <stdlib.h>
#include <string.h>

size_t __VERIFIER_nondet_size_t(void);

int main(void) {
    size_t size = __VERIFIER_nondet_size_t(), part = __VERIFIER_nondet_size_t();
    char *object = malloc(size);
    if (part > size)
        return 0;
    memset(object, 5, part);
    size_t at = __VERIFIER_nondet_size_t();
    if (at < size)
        return object[at] == 5;
    return 0;
}
