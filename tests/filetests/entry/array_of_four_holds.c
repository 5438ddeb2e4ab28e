// kripke: check --entry sum --entry-objects 4
// verdict: holds
// prints: `sum` gets null or a pointer to the first of 4 elements with any contents for bytes

#include <assert.h>

unsigned sum(const unsigned char *bytes, unsigned length)
{
    unsigned total = 0;
    if (!bytes || length > 4)
        return 0;
    for (unsigned i = 0; i < length; i++)
        total += bytes[i];
    assert(total <= 1020);
    return total;
}
