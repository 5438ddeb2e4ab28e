// kripke: check
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);

struct registers {
    unsigned a : 2, b : 7, c : 7;
};

int main(void)
{
    struct registers r = {1, 2, 3};
    r.b = nondet_uchar();
    assert(r.a == 1 && r.c == 3);
    assert(r.b < 128);
    return 0;
}
