// kripke: check --unwind 8
// verdict: violated
// violates: library-contract@10

#include <string.h>

int main(void)
{
    char text[3] = {'a', 'b', 'c'};
    return (int)strlen(text);
}
