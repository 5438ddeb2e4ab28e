// kripke: check
// verdict: violated
// violates: library-contract@10

#define _GNU_SOURCE
#include <unistd.h>
int main(void)
{
    char text[6] = "abcd";
    swab(text, text + 1, 4);
    return text[0];
}
