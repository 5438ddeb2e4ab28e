// kripke: check
// verdict: violated
// violates: pointer@10
// An allocation of nearly all addresses fails everywhere.
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *all = malloc(SIZE_MAX - 3);
    all[0] = 1;
    free(all);
    return 0;
}
