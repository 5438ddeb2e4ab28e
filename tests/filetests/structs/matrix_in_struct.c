// kripke: check
// verdict: holds

#include <assert.h>

struct matrix {
    int m[2][2];
};

static struct matrix multiply(struct matrix a, struct matrix b)
{
    struct matrix c = {{{0}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

int main(void)
{
    struct matrix fibonacci = {{{1, 1}, {1, 0}}}, power = fibonacci;
    for (int i = 0; i < 5; i++)
        power = multiply(power, fibonacci);
    assert(power.m[0][0] == 13 && power.m[0][1] == 8);
    return 0;
}
