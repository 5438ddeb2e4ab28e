// lwrb: a ring of 4 bytes holds what was put in and not taken after any N writes, reads and skips of up to 5.
#include <assert.h>
#include <stdbool.h>
#include "lwrb/lwrb.h"

#define ROOM 4
#define MOST 5

bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);

int main(void) {
    lwrb_t ring;
    unsigned char memory[ROOM + 1], data[MOST];
    unsigned char written = 0, taken = 0;
    assert(lwrb_init(&ring, memory, sizeof memory));
    for (int step = 0; step < N; step++) {
        unsigned char length = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(length <= MOST);
        if (__VERIFIER_nondet_bool()) {
            for (int i = 0; i < MOST; i++)
                data[i] = (unsigned char)(written + i);
            written += (unsigned char)lwrb_write(&ring, data, length);
        } else if (__VERIFIER_nondet_bool()) {
            unsigned char count = (unsigned char)lwrb_read(&ring, data, length);
            for (int i = 0; i < count; i++)
                assert(data[i] == (unsigned char)(taken + i));
            taken += count;
        } else {
            taken += (unsigned char)lwrb_skip(&ring, length);
        }
        assert(lwrb_get_full(&ring) == (lwrb_sz_t)(written - taken));
        assert(lwrb_get_free(&ring) + lwrb_get_full(&ring) == ROOM);
    }
    return 0;
}
