// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@16
/* Only one side of a copy begins where words do. */
#include <assert.h>
#include <string.h>
static struct {
    char first;
    char bytes[8];
} target;
static const long source[1] = {0x0101010101010101};
void tick(void)
{
    char all = target.bytes[0];
    if (all == 1)
        assert(target.bytes[1] == 1);
}
int main(void)
{
    memcpy(target.bytes, source, sizeof source);
    return 0;
}
