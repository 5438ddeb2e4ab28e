// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int m[2][3], t[3][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = nondet_int();
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            t[j][i] = m[i][j];
    assert(t[2][1] == m[1][2] && t[0][0] == m[0][0]);
    return 0;
}
