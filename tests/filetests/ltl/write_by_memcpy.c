// kripke: check --check none
// verdict: violated
// ltl: p: G {settings.level <= 7}
// violates: p

#include <string.h>
static struct { int mode; int level; } settings, fresh = {1, 8};
int main(void)
{
    memcpy(&settings, &fresh, sizeof settings);
    settings.level = 0;
    return 0;
}
