// kripke: check --interrupt swap --target i386 --check assertion
// verdict: holds
#include <assert.h>
static volatile float level = 1.0f;
void swap(void)
{
    level = level == 1.0f ? 1000.0f : 1.0f;
}
int main(void)
{
    float seen = level;
    assert(seen == 1.0f || seen == 1000.0f);
    return 0;
}
