// kripke: check
// verdict: holds

#include <assert.h>
#include <stdbool.h>

int main(void)
{
    bool composite[30] = {false};
    for (int i = 2; i * i < 30; i++)
        if (!composite[i])
            for (int j = i * i; j < 30; j += i)
                composite[j] = true;
    int primes = 0;
    for (int i = 2; i < 30; i++)
        primes += !composite[i];
    assert(primes == 10);
    return 0;
}
