// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    _Alignas(4) unsigned char buffer[8] = {0};
    int *p = (int *)(buffer + 4);
    *p = 0x01020304;
    assert(buffer[4] == 4 && buffer[7] == 1 && buffer[3] == 0);
    return 0;
}
