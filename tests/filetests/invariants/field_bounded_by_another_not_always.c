// kripke: check
// verdict: violated
// violates: assertion@22
// As field_bounded_by_another.c, but after eight values the sum of the last element is kept.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct channel {
    unsigned short sum;
    unsigned char count;
} channels[3];

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        struct channel *channel = &channels[input % 3];
        channel->sum += input & 63;
        if (++channel->count == 4) {
            channel->sum = channel == &channels[2] ? channel->sum : 0;
            channel->count = 0;
        }
        __VERIFIER_assert(channel->sum <= channel->count * 63);
    }
}
