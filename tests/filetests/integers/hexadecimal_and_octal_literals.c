// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    assert(0x1F == 31 && 017 == 15 && 0b101 == 5);
    assert('\x41' == 'A' && '\101' == 'A');
    assert(0xffffffff == 4294967295);
    assert(-1 < 1u == 0);
    return 0;
}
