// kripke: check
// verdict: holds
// prints: a weak atomic exchange fails only where the values differ

#include <assert.h>
#include <stdatomic.h>

atomic_int value = 5;

int main(void)
{
    int expected = 5;
    assert(atomic_compare_exchange_weak(&value, &expected, 6));
    return 0;
}
