// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@14
#include <assert.h>
#include <string.h>
static unsigned char t[4] = {1, 2, 3, 4};
void tick(void)
{
    t[3] = 9;
}
int main(void)
{
    memmove(t + 1, t, 3);
    assert(t[3] == 3);
    return 0;
}
