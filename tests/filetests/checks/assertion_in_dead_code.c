// kripke: check
// verdict: holds

#include <assert.h>

static int unused(void)
{
    assert(0);
    return 1;
}

int main(void)
{
    if (0)
        unused();
    return 0;
}
