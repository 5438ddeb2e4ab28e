// kripke: check
// verdict: violated
// violates: library-contract@10

#include <stdio.h>

int main(void)
{
    char text[4];
    sprintf(text, "%d", 12345);
    return text[0];
}
