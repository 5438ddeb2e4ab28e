// kripke: check
// verdict: violated
// violates: library-contract@10

#include <string.h>

int main(void)
{
    char name[4];
    strcpy(name, "long");
    return name[0];
}
