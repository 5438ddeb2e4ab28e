/* The minimum of N unknown numbers is at most each of them. */
#include <assert.h>
#ifndef N
#define N 20
#endif
int __VERIFIER_nondet_int(void);

int main(void) {
    int data[N];
    for (int i = 0; i < N; i++)
        data[i] = __VERIFIER_nondet_int();
    int least = data[0];
    for (int i = 1; i < N; i++)
        if (data[i] < least)
            least = data[i];
    for (int i = 0; i < N; i++)
        assert(least <= data[i]);
    return 0;
}
