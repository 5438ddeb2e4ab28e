/* Sorts N numbers, one of them unknown, and checks the order. */
#include <assert.h>
#ifndef N
#define N 10
#endif
int __VERIFIER_nondet_int(void);

int main(void) {
    int data[N];
    unsigned seed = 7;
    for (int i = 0; i < N; i++) {
        seed = seed * 1103515245u + 12345u;
        data[i] = (int)(seed >> 17);
    }
    data[N / 2] = __VERIFIER_nondet_int();
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1 - i; j++)
            if (data[j] > data[j + 1]) {
                int swap = data[j];
                data[j] = data[j + 1];
                data[j + 1] = swap;
            }
    for (int i = 0; i + 1 < N; i++)
        assert(data[i] <= data[i + 1]);
    return 0;
}
