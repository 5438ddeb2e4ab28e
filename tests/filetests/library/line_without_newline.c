// kripke: check
// verdict: violated
// violates: bounds@13

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    line[strlen(line) - 1] = 0;
    return 0;
}
