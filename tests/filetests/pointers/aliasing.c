// kripke: check
// verdict: violated
// violates: assertion@17

#include <assert.h>

static void add_twice(int *to, const int *from)
{
    *to += *from;
    *to += *from;
}

int main(void)
{
    int x = 5;
    add_twice(&x, &x);
    assert(x == 15);
    return 0;
}
