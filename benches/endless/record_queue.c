// verdict: holds
// A queue of received records between an interrupt and the main loop; what comes out has a length that fits.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define RECORDS 6
#define PAYLOAD 8

uint8_t __VERIFIER_nondet_uchar(void);
uint16_t __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);

struct record {
    uint16_t id;
    uint8_t length;
    uint8_t payload[PAYLOAD];
};

static struct record queue[RECORDS];
static uint8_t first, count;
static uint32_t lost;
static uint8_t last_sum;

static void enqueue(uint16_t id, uint8_t length) {
    if (length > PAYLOAD || count >= RECORDS) {
        lost++;
        return;
    }
    uint8_t at = first + count;
    if (at >= RECORDS)
        at -= RECORDS;
    struct record *record = &queue[at];
    record->id = id & 0x7ff;
    record->length = length;
    for (uint8_t i = 0; i < length; i++)
        record->payload[i] = __VERIFIER_nondet_uchar();
    count++;
}

static bool dequeue(struct record *out) {
    if (count == 0)
        return false;
    *out = queue[first];
    first = first + 1 < RECORDS ? first + 1 : 0;
    count--;
    return true;
}

static uint8_t checksum(const struct record *record) {
    uint8_t sum = 0;
    for (uint8_t i = 0; i < record->length; i++)
        sum += record->payload[i];
    return sum;
}

int main(void) {
    while (1) {
        struct record record;
        if (__VERIFIER_nondet_bool()) {
            uint16_t id = __VERIFIER_nondet_ushort();
            enqueue(id, __VERIFIER_nondet_uchar());
        } else if (dequeue(&record)) {
            assert(record.length <= PAYLOAD);
            assert(record.id < 0x800);
            last_sum ^= checksum(&record);
        }
        assert(count <= RECORDS);
    }
}
