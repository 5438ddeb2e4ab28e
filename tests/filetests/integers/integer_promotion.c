// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned char a = 200, b = 100;
    assert(a + b == 300);
    unsigned char c = a + b;
    assert(c == 44);
    assert((signed char)a == -56);
    short s = -1;
    assert((unsigned short)s == 65535);
    assert((unsigned)s == 0xffffffffu);
    assert(~(unsigned char)0 == -1);
    assert(sizeof('a') == sizeof(int));
    return 0;
}
