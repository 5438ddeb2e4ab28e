// kripke: check
// verdict: violated
// violates: pointer@17

#include <stdlib.h>

struct packet {
    unsigned length;
    unsigned char data[];
};

int main(void)
{
    struct packet *p = malloc(sizeof *p + 4);
    p->length = 5;
    for (unsigned i = 0; i < p->length; i++)
        p->data[i] = 0;
    free(p);
    return 0;
}
