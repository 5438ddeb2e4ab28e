// kripke: check --target thumbv6m-none-eabi
// verdict: holds

#include <assert.h>

struct pair {
    char a;
    int b;
};
struct large {
    int v[6];
};

static struct pair swap(struct pair p)
{
    struct pair r = {(char)p.b, p.a};
    return r;
}

static int last(struct large l)
{
    return l.v[5];
}

int main(void)
{
    struct pair p = swap((struct pair){3, 4});
    assert(p.a == 4 && p.b == 3);
    struct large l = {{1, 2, 3, 4, 5, 6}};
    assert(last(l) == 6);
    return 0;
}
