// kripke: check
// verdict: violated
// violates: library-contract@10

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    int c = fgetc(file);
    fclose(file);
    return c == 'x';
}
