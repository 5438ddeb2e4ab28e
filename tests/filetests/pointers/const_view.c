// kripke: check
// verdict: holds

#include <assert.h>

static int sum(const int *values, int count)
{
    int total = 0;
    while (count-- > 0)
        total += *values++;
    return total;
}

int main(void)
{
    static const int table[] = {1, 2, 3, 4};
    assert(sum(table, 4) == 10);
    assert(sum(table + 1, 2) == 5);
    return 0;
}
