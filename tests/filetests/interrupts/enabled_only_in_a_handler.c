// kripke: check --interrupt tick --interrupt-enable unlock --interrupt-disable lock --check assertion
// verdict: violated
// violates: assertion@17
/* Only the handler enables interrupts, so they must be enabled at the start. */
#include <assert.h>
static volatile int x;
void lock(void) {}
void unlock(void) {}
void tick(void)
{
    lock();
    x = 1;
    unlock();
}
int main(void)
{
    assert(x == 0);
    return 0;
}
