// kripke: check
// verdict: holds

#include <assert.h>

struct config {
    int baud, parity, stop;
    char name[8];
};

int main(void)
{
    struct config c = {.stop = 1, .baud = 9600, .name = "uart"};
    assert(c.baud == 9600 && c.parity == 0 && c.stop == 1);
    assert(c.name[0] == 'u' && c.name[4] == 0 && c.name[7] == 0);
    int table[6] = {[4] = 2, [1] = 7, 8};
    assert(table[0] == 0 && table[1] == 7 && table[2] == 8 && table[4] == 2);
    return 0;
}
