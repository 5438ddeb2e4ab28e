// kripke: check
// verdict: violated
// violates: pointer@14
// A length that is not compared with the size.
#include <stdlib.h>
#include <string.h>

size_t __VERIFIER_nondet_size_t(void);

int main(void) {
    size_t size = __VERIFIER_nondet_size_t(), part = __VERIFIER_nondet_size_t();
    char *object = malloc(size);
    if (part <= size + 1)
        memset(object, 5, part);
    free(object);
    return 0;
}
