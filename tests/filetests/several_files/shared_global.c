// kripke: check parts/counter.c
// verdict: holds

#include <assert.h>
int counter_next(void);
extern int counter_total;

int main(void)
{
    counter_next();
    counter_next();
    assert(counter_total == 2);
    counter_total = 10;
    counter_next();
    assert(counter_total == 11);
    return 0;
}
