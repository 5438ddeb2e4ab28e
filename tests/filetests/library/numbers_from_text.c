// kripke: check
// verdict: holds

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    assert(atoi("-42x") == -42);
    assert(strtol("  0x1F rest", &end, 0) == 31 && *end == ' ');
    assert(strtoul("777", 0, 8) == 511);
    errno = 0;
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    assert(strtol("none", &end, 10) == 0 && *end == 'n');
    assert(atof("2.5e2") == 250.0);
    return 0;
}
