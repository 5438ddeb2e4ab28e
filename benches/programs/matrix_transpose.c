/* Transposing an unknown matrix in place twice changes nothing. */
#include <assert.h>
#ifndef N
#define N 5
#endif
int __VERIFIER_nondet_int(void);

static int matrix[N][N], original[N][N];

static void transpose(void) {
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            int swap = matrix[i][j];
            matrix[i][j] = matrix[j][i];
            matrix[j][i] = swap;
        }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            original[i][j] = matrix[i][j] = __VERIFIER_nondet_int();
    transpose();
    transpose();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(matrix[i][j] == original[i][j]);
    return 0;
}
