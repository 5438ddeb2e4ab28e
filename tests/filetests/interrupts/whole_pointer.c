// kripke: check --interrupt swap --target i386 --check assertion
// verdict: holds
#include <assert.h>
static unsigned char table[600];
static unsigned char *volatile at = table;
void swap(void)
{
    at = at == table ? table + 500 : table;
}
int main(void)
{
    unsigned char *seen = at;
    assert(seen == table || seen == table + 500);
    return 0;
}
