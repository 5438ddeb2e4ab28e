// kripke: check --interrupt tick --interrupt-disable lock --check assertion
// verdict: holds
/* What disables interrupts does so through a pointer, too. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    x = 1;
}
void lock(void) {}
int main(void)
{
    void (*begin)(void) = lock;
    begin();
    x = 0;
    assert(x == 0);
    return 0;
}
