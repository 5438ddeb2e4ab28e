// kripke: check
// verdict: holds

#include <assert.h>

struct narrow {
    unsigned value : 3;
};

int main(void)
{
    struct narrow n = {0};
    assert(n.value - 1 < 0);
    assert(-n.value == 0);
    return 0;
}
