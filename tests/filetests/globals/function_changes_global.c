// kripke: check
// verdict: violated
// violates: assertion@19

#include <assert.h>
int nondet_int(void);

static int limit = 10;

static void configure(int x)
{
    if (x == 1234)
        limit = 0;
}

int main(void)
{
    configure(nondet_int());
    assert(limit == 10);
    return 0;
}
