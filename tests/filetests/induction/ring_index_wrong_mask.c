// kripke: check
// verdict: violated
// violates: bounds@13

unsigned char nondet_uchar(void);

static unsigned char ring[8];

int main(void)
{
    unsigned head = 0;
    for (;;) {
        ring[head] = nondet_uchar();
        head = (head + 1) & 15;
    }
}
