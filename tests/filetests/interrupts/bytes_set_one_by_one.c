// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@10
/* An array of bytes begins where words do, and is set byte by byte all the same. */
#include <assert.h>
#include <string.h>
static char bytes[32];
void tick(void)
{
    assert(bytes[0] == bytes[1]);
}
int main(void)
{
    memset(bytes, 1, sizeof bytes);
    return 0;
}
