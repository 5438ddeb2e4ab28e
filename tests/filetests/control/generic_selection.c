// kripke: check
// verdict: holds

#include <assert.h>
#define KIND(x) _Generic((x), int: 1, double: 2, char *: 3, default: 0)

int main(void)
{
    assert(KIND(1) == 1 && KIND(1.0) == 2 && KIND("a") == 3 && KIND(1u) == 0);
    return 0;
}
