// kripke: check
// verdict: holds
// In each element one field is bounded by a multiple of another; which element it is, is any.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct channel {
    unsigned short sum, result;
    unsigned char count;
} channels[3];

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        struct channel *channel = &channels[input % 3];
        channel->sum += input & 63;
        if (++channel->count == 8) {
            channel->result = channel->sum / 8;
            channel->sum = 0;
            channel->count = 0;
        }
        __VERIFIER_assert(channel->sum <= channel->count * 63);
        __VERIFIER_assert(channels[__VERIFIER_nondet_uchar() % 3].result <= 63);
    }
}
