// kripke: check
// verdict: holds

#include <assert.h>

static int sum(int (*rows)[3], int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 3; j++)
            total += rows[i][j];
    return total;
}

int main(void)
{
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(sum(m, 2) == 21);
    assert(sum(m + 1, 1) == 15);
    return 0;
}
