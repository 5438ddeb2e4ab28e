// kripke: check parts/enabling_in_a_header.c --interrupt tick --interrupt-enable unlock --check assertion
// verdict: violated
// violates: assertion@16
/* A header gives both files a function that enables interrupts; each of them does. */
#include <assert.h>
static inline void unlock(void) {}
static volatile int x;
void tick(void)
{
    x = 1;
}
void start(void);
int main(void)
{
    start();
    assert(x == 0);
    unlock();
    return 0;
}
