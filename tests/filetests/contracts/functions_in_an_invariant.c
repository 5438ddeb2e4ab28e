// kripke: check
// verdict: holds

#include <assert.h>

struct part {
    int index, sum;
    long more[6];
};

static struct part at(const int *table, int index)
{
    struct part found = {index, 0, {0}};
    found.sum = table[index];
    return found;
}

static int is_zero_until(const int *table, int count)
{
    for (int i = 0; i < count; i++)
        if (table[i])
            return 0;
    return 1;
}

int main(void)
{
    int table[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        __CPROVER_loop_invariant(0 <= i && i <= 3 && is_zero_until(table, i))
        __CPROVER_loop_invariant(i == 0 || at(table, i - 1).sum == 0)
    {
        table[i] = 0;
    }
    assert(is_zero_until(table, 3));
}
