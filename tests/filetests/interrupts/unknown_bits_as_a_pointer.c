// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@26
/* A handler writes through a pointer that was read as a number. */
#include <assert.h>
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static int x;
static volatile int is_set;
static union {
    uintptr_t number;
    int *pointer;
} place;
void tick(void)
{
    if (is_set)
        *place.pointer = 1;
}
int main(void)
{
    place.number = __VERIFIER_nondet_ulong();
    if (place.pointer != &x)
        return 0;
    is_set = 1;
    x = 0;
    assert(x == 0);
    is_set = 0;
    return 0;
}
