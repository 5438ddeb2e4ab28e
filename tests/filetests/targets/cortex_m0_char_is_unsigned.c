// kripke: check --target thumbv6m-none-eabi
// verdict: violated
// violates: assertion@15

#include <assert.h>

static int read_byte(void)
{
    return -1;
}

int main(void)
{
    char c = read_byte();
    assert(c == -1);
    return 0;
}
