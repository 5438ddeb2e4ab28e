// One of two handlers that may come between any of a hundred accesses stores more than the other: what is
// asked of all places as one does not hold of it.
// kripke: check --interrupt first --interrupt second --check assertion
// verdict: violated
// violates: assertion@24
#include <assert.h>

unsigned char converted(void);

static volatile unsigned char sample, other;

void first(void) { sample = converted() & 63; }

void second(void) { other = converted() & 127; }

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
