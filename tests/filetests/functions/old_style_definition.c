// kripke: check --std gnu11
// verdict: holds

#include <assert.h>

static int subtract(a, b)
int a, b;
{
    return a - b;
}

int main(void)
{
    assert(subtract(5, 3) == 2);
    return 0;
}
