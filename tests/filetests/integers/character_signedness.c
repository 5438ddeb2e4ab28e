// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    char c = (char)0xff;
    assert(c == -1);
    unsigned char u = 0xff;
    assert(u == 255);
    assert((c & 0xff) == u);
    return 0;
}
