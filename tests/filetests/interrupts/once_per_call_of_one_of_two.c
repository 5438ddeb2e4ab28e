// kripke: check --interrupt tick --interrupt other --interrupt-once-per tick=renew --check assertion
// verdict: violated
// violates: main.assertion.2
/* The other one comes any number of times. */
#include <assert.h>
#include <stdint.h>
static volatile int ticks, others;
void renew(void);
void tick(void)
{
    ticks++;
}
void other(void)
{
    others++;
}
int main(void)
{
    assert(ticks <= 1);
    assert(others <= 2);
    renew();
    return 0;
}
