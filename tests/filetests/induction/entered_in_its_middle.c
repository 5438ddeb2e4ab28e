// kripke: check
// verdict: violated
// violates: assertion@17
// The run that jumps into the loop keeps a limit that no run through its beginning has.

#include <assert.h>
_Bool nondet_bool(void);
unsigned nondet_uint(void);
unsigned x, y, limit = 5;

int main(void)
{
    if (nondet_bool()) { limit = 7; goto middle; }
    for (;;) {
        x = nondet_bool();
        y = nondet_uint();
middle: assert(limit == 5 || y != 77);
    }
}
