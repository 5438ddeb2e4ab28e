// kripke: check --check default,leak
// verdict: holds

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    if (!file)
        return 1;
    int c = fgetc(file);
    fclose(file);
    return c == 'x';
}
