// kripke: check --check none
// verdict: violated
// ltl: p: G {buffer[3] == 0}
// violates: p

#include <string.h>
static unsigned char buffer[8];
int main(void)
{
    memset(buffer, 1, 4);
    memset(buffer, 0, sizeof buffer);
    return 0;
}
