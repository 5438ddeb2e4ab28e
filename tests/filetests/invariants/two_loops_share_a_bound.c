// kripke: check
// verdict: holds
// The inner loop needs what the outer one keeps, and the other way round.

#include <assert.h>
unsigned char nondet_uchar(void);
unsigned char level;

int main(void)
{
    for (;;) {
        while (nondet_uchar() & 1)
            if (level < 20)
                level += 2;
        if (level > 0)
            level -= 2;
        assert(level <= 20);
        assert(level % 2 == 0);
    }
}
