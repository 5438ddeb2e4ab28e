// kripke: check --interrupt low:2 --interrupt high:2 --check assertion
// verdict: holds
#include <assert.h>
static volatile int x;
void high(void)
{
    x = 2;
}
void low(void)
{
    x = 1;
    assert(x == 1);
}
int main(void)
{
    return 0;
}
