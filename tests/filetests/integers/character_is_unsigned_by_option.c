// kripke: check -- -funsigned-char
// verdict: holds

#include <assert.h>

int main(void)
{
    char c = (char)0xff;
    assert(c == 255);
    return 0;
}
