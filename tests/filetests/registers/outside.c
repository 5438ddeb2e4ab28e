// kripke: check
// verdict: violated
// violates: pointer@10

extern volatile unsigned char FIFO[4];

int main(void)
{
    volatile unsigned char *last = FIFO;
    return last[4];
}
