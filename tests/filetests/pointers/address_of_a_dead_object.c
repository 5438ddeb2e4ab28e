// kripke: check --all
// verdict: violated
// violates: assertion@22
// violates: assertion@27

// Addresses of dead objects are used again.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t last;
static void remember(void)
{
    int local;
    last = (uintptr_t)&local;
}
int main(void)
{
    int *p = malloc(4);
    uintptr_t first = (uintptr_t)p;
    free(p);
    int *q = malloc(4);
    assert(first != (uintptr_t)q);
    free(q);
    remember();
    uintptr_t before = last;
    remember();
    assert(before != last);
    return 0;
}
