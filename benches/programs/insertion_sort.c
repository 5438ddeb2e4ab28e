/* Insertion sort of N unknown bytes: the result is ordered. */
#include <assert.h>
#ifndef N
#define N 4
#endif
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char data[N];
    for (int i = 0; i < N; i++)
        data[i] = __VERIFIER_nondet_uchar();
    for (int i = 1; i < N; i++) {
        unsigned char value = data[i];
        int j = i - 1;
        while (j >= 0 && data[j] > value) {
            data[j + 1] = data[j];
            j--;
        }
        data[j + 1] = value;
    }
    for (int i = 0; i + 1 < N; i++)
        assert(data[i] <= data[i + 1]);
    return 0;
}
