// kripke: check
// verdict: holds

#include <assert.h>

static void initialise(int *p)
{
    *p = 3;
}

int main(void)
{
    int value;
    initialise(&value);
    assert(value == 3);
    return 0;
}
