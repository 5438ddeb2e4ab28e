// kripke: check --interrupt uart:1:5 --interrupt timer:1:7 --check assertion
// verdict: violated
// violates: main.assertion.1
/* Nothing says that the other one is enabled by its number: it may come at any time. */
#include <assert.h>
void NVIC_EnableIRQ(int number);
static volatile int u, t;
void uart(void)
{
    u = 1;
}
void timer(void)
{
    t = 1;
}
int main(void)
{
    assert(t == 0);
    NVIC_EnableIRQ(5);
    return u;
}
