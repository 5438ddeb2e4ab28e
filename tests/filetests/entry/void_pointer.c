// kripke: check --entry clear --entry-objects 8
// verdict: holds

#include <assert.h>
#include <string.h>

void clear(void *memory, unsigned size)
{
    if (!memory || size > 8)
        return;
    memset(memory, 0, size);
    assert(size == 0 || *(char *)memory == 0);
}
