// kripke: check --target mips-linux-gnu
// verdict: holds

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
    char text[20];
    int length = snprintf(text, sizeof text, "%" PRIu32 " %c", (uint32_t)70000, toupper('x'));
    assert(length == 7 && strcmp(text, "70000 X") == 0);
    errno = 0;
    assert(strtol("99999999999", NULL, 10) == 2147483647 && errno == ERANGE);
    assert(fesetround(FE_UPWARD) == 0 && fegetround() == FE_UPWARD);
    time_t first = time(NULL);
    assert(time(NULL) >= first && sizeof(time_t) == 4);
    assert(rand() <= RAND_MAX);
    return 0;
}
