// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@16
#include <assert.h>
#include <string.h>
static unsigned char shared[4], own[4];
void tick(void)
{
    unsigned char next = shared[0] == 0;
    shared[0] = next;
    shared[3] = next;
}
int main(void)
{
    memcpy(own, shared, 4);
    assert(own[0] == own[3]);
    return 0;
}
