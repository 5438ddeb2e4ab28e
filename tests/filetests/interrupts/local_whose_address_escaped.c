// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@16
#include <assert.h>
int *p;
void tick(void)
{
    if (p)
        *p = 1;
}
int main(void)
{
    int local = 0;
    p = &local;
    local = 0;
    assert(local == 0);
    p = 0;
    return 0;
}
