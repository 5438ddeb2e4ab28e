// kripke: check parts/counter.c
// verdict: holds

#include <assert.h>
int counter_next(void);

static int count = 100;

static int next(void)
{
    return ++count;
}

int main(void)
{
    assert(next() == 101);
    assert(counter_next() == 1);
    assert(next() == 102);
    assert(counter_next() == 2);
    return 0;
}
