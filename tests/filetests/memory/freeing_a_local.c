// kripke: check
// verdict: violated
// violates: free@11

#include <stdlib.h>

int main(void)
{
    int x = 1;
    int *p = &x;
    free(p);
    return x;
}
