// kripke: check --unwind 12
// verdict: violated
// violates: library-contract@10

#include <stdio.h>

int main(void)
{
    char name[8];
    if (scanf("%8s", name) == 1)
        return name[0] == 'x';
    return 0;
}
