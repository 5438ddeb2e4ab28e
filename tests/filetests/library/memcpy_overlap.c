// kripke: check
// verdict: violated
// violates: library-contract@10

#include <string.h>

int main(void)
{
    char text[10] = "abcdefgh";
    memcpy(text + 1, text, 5);
    return text[0];
}
