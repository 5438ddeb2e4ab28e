// kripke: check --interrupt low:1 --interrupt high:2 --check assertion
// verdict: violated
// violates: set.assertion.1
#include <assert.h>
static volatile int x;
static void set(void)
{
    x = 1;
    assert(x == 1);
}
static void (*action)(void) = set;
void high(void)
{
    x = 2;
}
void low(void)
{
    action();
}
int main(void)
{
    return 0;
}
