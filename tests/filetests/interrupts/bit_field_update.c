// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@18
/* The neighbour is read and written back. */
#include <assert.h>
static volatile struct {
    unsigned mine : 4, yours : 4;
} flags;
static volatile int came;
void tick(void)
{
    flags.yours = 1;
    came = 1;
}
int main(void)
{
    flags.mine = 1;
    assert(!came || flags.yours == 1);
    return 0;
}
