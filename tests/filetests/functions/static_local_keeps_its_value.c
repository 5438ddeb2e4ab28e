// kripke: check
// verdict: holds

#include <assert.h>

static int next(void)
{
    static int counter = 5;
    return counter++;
}

int main(void)
{
    assert(next() == 5);
    assert(next() == 6);
    assert(next() == 7);
    return 0;
}
