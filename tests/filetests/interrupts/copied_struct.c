// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@16
#include <assert.h>
struct pair {
    int a, b;
};
static struct pair shared;
void tick(void)
{
    shared.a = shared.b = shared.a == 0;
}
int main(void)
{
    struct pair copy = shared;
    assert(copy.a == copy.b);
    return 0;
}
