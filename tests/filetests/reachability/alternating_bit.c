// kripke: check
// verdict: holds
// The alternating bit protocol over lines that lose: what is received is what was sent last, or was seen.

#include <assert.h>
#include <stdbool.h>
unsigned char nondet_uchar(void);
static bool sending, expected, sent_bit, acknowledged_bit;
static bool on_way, on_way_back;
static unsigned char sent, received, data;

int main(void)
{
    for (;;) {
        switch (nondet_uchar()) {
        case 1:
            if (!on_way) { on_way = true; sent_bit = sending; data = sent; }
            break;
        case 2: on_way = false; break;
        case 3:
            if (on_way) {
                on_way = false;
                if (sent_bit == expected) {
                    assert(data == received);
                    received = (received + 1) & 3;
                    expected = !expected;
                }
                on_way_back = true;
                acknowledged_bit = sent_bit;
            }
            break;
        case 4: on_way_back = false; break;
        case 5:
            if (on_way_back && acknowledged_bit == sending) {
                sending = !sending;
                sent = (sent + 1) & 3;
            }
            on_way_back = false;
            break;
        }
    }
}
