// kripke: check
// verdict: holds

#include <assert.h>

static int sum(char a, short b, int c, long d, float e, double f, unsigned char g, long long h, int i, int j)
{
    return a + b + c + (int)d + (int)e + (int)f + g + (int)h + i + j;
}

int main(void)
{
    assert(sum(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55);
    return 0;
}
