// kripke: check
// verdict: violated
// violates: pointer@9

#include <stdlib.h>

int main(void)
{
    return getenv("HOME")[0];
}
