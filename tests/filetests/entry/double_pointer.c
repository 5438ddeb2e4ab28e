// kripke: check --entry take
// verdict: violated
// violates: assertion@12

#include <assert.h>

void take(const char **text)
{
    if (!text || !*text)
        return;
    (*text)++;
    assert((*text)[-1] != '\n');
}
