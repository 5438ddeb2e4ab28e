// kripke: check
// verdict: holds

unsigned char nondet_uchar(void);

static unsigned char ring[16];

int main(void)
{
    unsigned head = 0;
    for (;;) {
        ring[head] = nondet_uchar();
        head = (head + 1) & 15;
    }
}
