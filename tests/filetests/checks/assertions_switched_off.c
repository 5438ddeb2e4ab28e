// kripke: check -DNDEBUG
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    assert(nondet_int() == 0);
    return 0;
}
