// kripke: check --all
// verdict: violated
// violates: assertion@12
// violates: assertion@14

// What a function without a body returns may be the address of any object.
#include <assert.h>
extern int *get(void);
static int g, h;
int main(void)
{
    assert(get() != &g);
    int *p = get();
    assert(p == 0 || p != &h);
    return 0;
}
