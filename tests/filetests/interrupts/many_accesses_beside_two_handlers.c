// Two handlers may come between any of a hundred accesses: what each stores is bounded at all of these
// places, which is asked as one.
// kripke: check --interrupt first --interrupt second --check assertion
// verdict: holds
#include <assert.h>

unsigned char converted(void);

static volatile unsigned char sample, other;

void first(void) { sample = converted() & 63; }

void second(void) { other = converted() & 63; }

#define TEN(of) of of of of of of of of of of
#define FIVE(of) of of of of of

int main(void)
{
    unsigned char last = 0;
    for (;;) {
        TEN(FIVE(last = sample; last = other;))
        assert(last < 64);
    }
}
