// kripke: check --all
// verdict: violated
// violates: library-contract@16
// violates: library-contract@20

#include <string.h>
unsigned char nondet_uchar(void);

int main(void)
{
    struct { char tag[2], more[6]; } unlike = {"a", "same"};
    char other[4] = "b", text[8] = "b";
    /* What differs at the first byte may be read to the end (C11 7.24.4.1: all n characters). */
    int order = memcmp(text, &unlike, sizeof text) + memcmp(text, other, sizeof other);
    if (nondet_uchar() == 1)
        order += memcmp(text, other, sizeof text);
    if (nondet_uchar() == 2)
        order += memcmp(text + 1, other, sizeof other) + memcmp(text + 8, other + 4, 0);
    if (nondet_uchar() == 3)
        order += memcmp(other + 1, text, sizeof other);
    return order != 0;
}
