// kripke: check
// verdict: holds

#include <assert.h>

static int untouched;

static void put(int *place) { *place = 3; }

static void both(int *first, int *second)
    __CPROVER_assigns(*first, *second)
{
    put(first);
    put(second);
}

int main(void)
{
    int a, b;
    both(&a, &b);
    both(&a, &a);
    put(&untouched);
    assert(a == 3);
}
