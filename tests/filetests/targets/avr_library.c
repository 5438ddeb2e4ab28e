// kripke: check --target avr
// verdict: holds

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[8];
    strcpy(text, "avr");
    assert(strlen(text) == 3 && memcmp(text, "avr", 4) == 0);
    assert(atoi("321") == 321 && abs(-5) == 5);
    return 0;
}
