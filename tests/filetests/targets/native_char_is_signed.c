// kripke: check --target x86_64-linux-gnu
// verdict: holds

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
