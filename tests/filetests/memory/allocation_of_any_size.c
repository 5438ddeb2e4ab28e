// kripke: check
// verdict: holds
// The size does not wrap around where there is room for it.
#include <stdlib.h>

size_t __VERIFIER_nondet_size_t(void);

int main(void) {
    size_t count = __VERIFIER_nondet_size_t();
    char *bytes = malloc(count);
    int *numbers = malloc(count * sizeof *numbers);
    if (count > 0) {
        bytes[count - 1] = 1;
        numbers[count - 1] = 1;
    }
    free(bytes);
    free(numbers);
    return 0;
}
