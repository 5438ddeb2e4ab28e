// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@23
/* The handler gets the address as bytes. */
#include <assert.h>
#include <string.h>
static int x;
static unsigned char address[sizeof(int *)];
void tick(void)
{
    int *p;
    memcpy(&p, address, sizeof p);
    if (p)
        *p = 1;
}
int main(void)
{
    int *p = &x;
    for (unsigned i = 0; i < sizeof p; i++)
        address[i] = 0;
    memcpy(address, &p, sizeof p);
    x = 0;
    assert(x == 0);
    return 0;
}
