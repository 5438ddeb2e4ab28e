// kripke: check --interrupt tick --interrupt-enable unlock --interrupt-disable lock --check assertion
// verdict: violated
// violates: assertion@17
/* What comes after the enabling in its function may be interrupted. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    x = 1;
}
void lock(void)
{
}
void unlock(void)
{
    x = 0;
    assert(x == 0);
}
int main(void)
{
    lock();
    unlock();
    return 0;
}
