// kripke: check
// verdict: holds

#include <assert.h>

_Static_assert(sizeof(int) >= 2, "int has 16 bits at least");

int main(void)
{
    static_assert(sizeof(long) >= sizeof(int), "long is no shorter");
    return 0;
}
