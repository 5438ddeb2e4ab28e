// kripke: check
// verdict: holds

#include <assert.h>

static int depth_sum(int depth, int *outer)
{
    int mine = depth;
    if (outer)
        *outer += 1;
    if (depth > 0) {
        int below = depth_sum(depth - 1, &mine);
        return mine + below;
    }
    return mine;
}

int main(void)
{
    assert(depth_sum(3, 0) == 3 + 1 + 2 + 1 + 1 + 1 + 0);
    return 0;
}
