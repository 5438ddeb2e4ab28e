// kripke: check
// verdict: holds

#include <assert.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void)
{
    int (*f)(void) = one;
    assert(f == &one && f != two && f);
    f = *two;
    assert((*f)() == 2 && (****f)() == 2);
    return 0;
}
