// kripke: check --entry start
// verdict: violated
// violates: assertion@10

#include <assert.h>
int nondet_int(void);

int start(int argument)
{
    assert(argument != 9);
    return 0;
}

int main(void)
{
    return 0;
}
