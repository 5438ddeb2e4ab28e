// kripke: check
// verdict: violated
// violates: library-contract@14
// prints: getenv: a variable has at most 255 characters

#include <stdlib.h>
#include <string.h>

int main(void)
{
    char path[128];
    char *home = getenv("HOME");
    if (home != NULL)
        strcpy(path, home);
    return 0;
}
