// kripke: check
// verdict: violated
// violates: library-contract@11

#include <limits.h>

char *itoa(int value, char *text, int base);
int main(void)
{
    char text[11];
    return itoa(INT_MIN, text, 10)[0];
}
