// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@19
#include <assert.h>
struct triple {
    long a, b, c;
};
static struct triple shared;
void tick(void)
{
    shared.a = shared.c = shared.a == 0;
}
static int same(struct triple copy)
{
    return copy.a == copy.c;
}
int main(void)
{
    assert(same(shared));
    return 0;
}
