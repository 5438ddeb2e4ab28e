// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

static unsigned char buffer[256];

int main(void)
{
    unsigned i = nondet_uint() & 255;
    assert(buffer[i] == 0);
    buffer[i] = 1;
    assert(buffer[i] == 1 && buffer[(i + 1) & 255] == 0);
    return 0;
}
