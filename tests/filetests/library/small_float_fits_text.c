// kripke: check
// verdict: holds

#include <stdio.h>
double nondet_double(void);

int main(void)
{
    char text[10];
    double value = nondet_double();
    if (value > -90 && value < 90)
        sprintf(text, "%.2f", value);
    snprintf(text, sizeof text, "%f", value);
    sprintf(text, "%.2e", 3.25);
    return 0;
}
