// kripke: check
// verdict: holds

#include <assert.h>
#include <limits.h>
#include <string.h>

char *itoa(int value, char *text, int base);
char *utoa(unsigned value, char *text, int base);
char *strrev(char *text);

int main(void)
{
    char text[34];
    assert(strcmp(itoa(INT_MIN, text, 10), "-2147483648") == 0);
    assert(strcmp(itoa(-1, text, 16), "ffffffff") == 0);
    assert(strlen(itoa(-1, text, 2)) == 32);
    assert(strcmp(strrev(utoa(1230, text, 10)), "0321") == 0);
    assert(itoa(5, text, 1)[0] == 0);
}
