// kripke: check
// verdict: holds

#include <stdio.h>
double nondet_double(void);

int main(void)
{
    char text[10];
    double value = nondet_double();
    snprintf(text, sizeof text, "%f", value);
    return 0;
}
