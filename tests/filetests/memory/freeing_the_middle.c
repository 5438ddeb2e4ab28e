// kripke: check
// verdict: violated
// violates: free@10

#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    free(p + 1);
    return 0;
}
