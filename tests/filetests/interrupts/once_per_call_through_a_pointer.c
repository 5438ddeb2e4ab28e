// kripke: check --interrupt tick --interrupt-once-per tick=renew --check assertion
// verdict: violated
// violates: main.assertion.1
/* The call is one through a pointer. */
#include <assert.h>
#include <stdint.h>
static volatile int ticks;
void renew(void)
{
}
void tick(void)
{
    ticks++;
}
int main(void)
{
    void (*volatile again)(void) = renew;
    again();
    assert(ticks < 2);
    return 0;
}
