// kripke: check
// verdict: violated
// violates: library-contract@11

#include <stdio.h>
double nondet_double(void);

int main(void)
{
    char text[32];
    sprintf(text, "%f", nondet_double());
    return 0;
}
