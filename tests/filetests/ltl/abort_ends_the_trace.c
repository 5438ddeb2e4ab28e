// kripke: check --check none
// verdict: violated
// ltl: p: F {done}
// violates: p

#include <stdlib.h>
static int done;
int main(void)
{
    if (!done)
        abort();
    done = 1;
    return 0;
}
