/* An unknown matrix times a permutation matrix has the same entries, moved. */
#include <assert.h>
#ifndef N
#define N 4
#endif
short __VERIFIER_nondet_short(void);

static int left[N][N], right[N][N], product[N][N];

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            left[i][j] = __VERIFIER_nondet_short();
            right[i][j] = j == (i + 1) % N;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < N; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(product[i][(j + 1) % N] == left[i][j]);
    return 0;
}
