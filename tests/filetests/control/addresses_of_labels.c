// kripke: check
// verdict: unknown

#include <assert.h>

// Two labels have addresses of their own, and none is null.
int main(void)
{
    static void *const table[] = {&&left, &&right, 0};
    if (table[0] == table[2])
        return 0;
    assert(table[0] == &&right);
left:
    assert(table[1] == 0);
right:
    return 0;
}
