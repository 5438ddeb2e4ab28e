// kripke: check
// verdict: holds
// An object of unknown size, of which an unknown part is set: no byte is told apart.
#include <assert.h>
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
    if (at < part)
        assert(object[at] == 5);
    free(object);
    return 0;
}
