// kripke: check
// verdict: holds

#include <assert.h>

static int depth(int n, int *above)
{
    if (n == 0)
        return *above;
    {
        int own = *above + 1;
        int result = depth(n - 1, &own);
        assert(own == *above + 1);
        return result;
    }
}

int main(void)
{
    int zero = 0;
    assert(depth(4, &zero) == 4);
    return 0;
}
