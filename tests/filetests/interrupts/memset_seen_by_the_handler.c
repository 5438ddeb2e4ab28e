// kripke: check --interrupt look --check assertion
// verdict: violated
// violates: assertion@9
#include <assert.h>
#include <string.h>
static unsigned char t[4];
void look(void)
{
    assert(t[0] == t[3]);
}
int main(void)
{
    memset(t, 1, sizeof t);
    return 0;
}
