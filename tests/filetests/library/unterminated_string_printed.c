// kripke: check
// verdict: violated
// violates: library-contract@12
#include <stdio.h>
int nondet_int(void);
int main(void)
{
    char text[2] = {'h', 'i'};
    if (nondet_int()) puts(text);
    printf("%.2s %.*s", text, 2, text);
    if (nondet_int())
        printf("%5s", text);
    return 0;
}
