// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@11
#include <assert.h>
#include <string.h>
static unsigned char shared[3];
void tick(void)
{
    unsigned char first = shared[0];
    if (shared[2] == 7)
        assert(first == 7);
}
int main(void)
{
    memset(shared, 7, sizeof shared);
    return 0;
}
