// kripke: check
// verdict: violated
// violates: assertion@16

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    unsigned char level = 0;
    while (1) {
        if (nondet_bool())
            level++;
        else if (level > 0)
            level--;
        assert(level < 5);
    }
}
