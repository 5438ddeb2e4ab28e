// kripke: check --entry sum --entry-objects 4
// verdict: violated
// violates: assertion@15

#include <assert.h>

void sum(const unsigned char *bytes, unsigned length)
{
    unsigned total = 0;
    if (!bytes || length > 4)
        return;
    for (unsigned i = 0; i < length; i++)
        total += bytes[i];
    assert(total <= 1020);
    assert(total != 1020);
}
