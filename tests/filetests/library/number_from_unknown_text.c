// kripke: check
// verdict: violated
// violates: assertion@13

#include <assert.h>
#include <stdlib.h>
char nondet_char(void);

int main(void)
{
    char text[4] = {nondet_char(), nondet_char(), nondet_char(), 0};
    int value = atoi(text);
    assert(value != -37);
    return 0;
}
