// kripke: check --interrupt uart:1:5 --interrupt timer:1:7 --check assertion --all
// verdict: violated
// violates: assertion@21
// violates: main.assertion.3
#include <assert.h>
void NVIC_EnableIRQ(int number);
void NVIC_DisableIRQ(int number);
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
    assert(u == 0);
    NVIC_EnableIRQ(5);
    assert(t == 0);
    assert(u == 0);
    NVIC_DisableIRQ(5);
    u = 0;
    assert(u == 0);
    return 0;
}
