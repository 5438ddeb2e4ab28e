// kripke: check --check assertion --all
// verdict: violated
// ltl: p: F {done}
// violates: p
// violates: assertion@11

#include <assert.h>
static int done, ready;
int main(void)
{
    assert(ready);
    done = 1;
    return 0;
}
