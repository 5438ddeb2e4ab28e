// kripke: check --entry get
// verdict: violated
// violates: assertion@14

#include <assert.h>

struct block {
    long values[5];
    long *more;
};

void get(struct block block)
{
    assert(!block.more || block.values[4] != *block.more || block.values[4] != 12);
}
