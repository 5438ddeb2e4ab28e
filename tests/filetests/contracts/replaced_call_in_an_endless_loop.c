// kripke: check --replace-calls step
// verdict: holds

#include <assert.h>

extern unsigned nondet_uint(void);

static unsigned level;

static void step(unsigned by)
    __CPROVER_requires(level <= 1000)
    __CPROVER_assigns(level)
    __CPROVER_ensures(level <= 1000)
{
    level = by > 1000 - level ? 1000 : level + by;
}

int main(void)
{
    for (;;) {
        step(nondet_uint());
        assert(level <= 1000);
    }
}
