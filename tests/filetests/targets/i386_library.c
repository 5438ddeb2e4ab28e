// kripke: check --target i386-linux-gnu
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
    char text[8] = "x 7";
    text[0] = (char)toupper(text[0]);
    assert(strcmp(text, "X 7") == 0 && isdigit(text[2]));
    char number[20];
    int length = snprintf(number, sizeof number, "%" PRIdFAST16 " %" PRIu64, (int_fast16_t)-7,
                          UINT64_C(5000000000));
    assert(length == 13 && strcmp(number, "-7 5000000000") == 0);
    errno = 0;
    assert(strtol("99999999999", NULL, 10) == 2147483647 && errno == ERANGE);
    assert(fesetround(FE_UPWARD) == 0 && fegetround() == FE_UPWARD);
    time_t first = time(NULL);
    assert(time(NULL) >= first && sizeof(time_t) == 4);
    assert(rand() <= RAND_MAX);
    return 0;
}
