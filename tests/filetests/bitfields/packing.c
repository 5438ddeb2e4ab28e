// kripke: check
// verdict: holds

#include <assert.h>

struct flags {
    unsigned mode : 3;
    unsigned level : 5;
    unsigned ready : 1;
};

int main(void)
{
    struct flags f = {5, 17, 1};
    assert(f.mode == 5 && f.level == 17 && f.ready == 1);
    f.mode = 7;
    f.level += 1;
    assert(f.mode == 7 && f.level == 18 && f.ready == 1);
    assert(sizeof f == sizeof(unsigned));
    return 0;
}
