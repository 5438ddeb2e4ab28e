// kripke: check
// verdict: holds

#include <assert.h>

static int trace(int n, int m[n][n])
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += m[i][i];
    return sum;
}

int main(void)
{
    int m[3][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    assert(trace(3, m) == 6);
    return 0;
}
