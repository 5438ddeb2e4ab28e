// kripke: check
// verdict: holds

#include <assert.h>

struct inner {
    short a, b;
};
struct outer {
    char tag;
    struct inner pair[2];
    long last;
};

int main(void)
{
    struct outer o = {'t', {{1, 2}, {3, 4}}, 5};
    struct inner *p = &o.pair[1];
    p->b = 40;
    assert(o.pair[1].b == 40 && o.pair[0].b == 2 && o.last == 5);
    struct outer copy = o;
    copy.pair[0] = copy.pair[1];
    assert(copy.pair[0].a == 3 && o.pair[0].a == 1);
    return 0;
}
