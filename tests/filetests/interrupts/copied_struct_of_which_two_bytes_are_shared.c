// kripke: check --interrupt tick --check assertion
// verdict: holds
// The handler can tell when two of the bytes are copied, and comes nowhere else in between.
#include <assert.h>
struct record {
    unsigned char x[24];
};
static struct record from, to;
static volatile int count;
void tick(void)
{
    from.x[3] = to.x[5];
    count = count < 100 ? count + 1 : count;
}
int main(void)
{
    to = from;
    assert(count <= 100);
    return 0;
}
