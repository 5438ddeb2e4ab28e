// kripke: check --timeout 60s
// verdict: holds
// How far something is padded does not matter to how many arguments are taken: the loops that pad are no part
// of the slice, and the text ends.
#include <assert.h>

char __VERIFIER_nondet_char(void);

static unsigned pad(unsigned sum, unsigned width, char with)
{
    for (unsigned i = 0; i < width; i++)
        sum = sum * 31 + (unsigned char)with;
    while (sum % 7 != 3)
        sum = sum * sum + 1;
    return sum;
}

int main(void)
{
    char text[7];
    for (int i = 0; i < 6; i++)
        text[i] = __VERIFIER_nondet_char();
    text[6] = '\0';
    unsigned sum = 0, taken = 0, at = 0;
    while (text[at] != '\0') {
        if (text[at++] != '%')
            continue;
        unsigned width = 0;
        while (text[at] >= '0' && text[at] <= '9')
            width = width * 10 + (unsigned char)(text[at++] - '0');
        sum = pad(sum, width, text[at]);
        if (text[at] == '\0')
            break;
        at++;
        taken++;
        sum = pad(sum, width, '-');
    }
    assert(taken <= 3);
    return 0;
}
