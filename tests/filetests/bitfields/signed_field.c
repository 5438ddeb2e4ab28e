// kripke: check
// verdict: holds

#include <assert.h>

struct reading {
    signed int offset : 4;
    signed int sign : 1;
};

int main(void)
{
    struct reading r = {0};
    r.offset = 7;
    assert(r.offset == 7);
    r.offset = 8;
    assert(r.offset == -8);
    r.sign = 1;
    assert(r.sign == -1);
    return 0;
}
