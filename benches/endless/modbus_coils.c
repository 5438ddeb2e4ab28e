// verdict: violated
// Requests for coils of a Modbus device; the sum of address and count wraps around in its eight bits.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define COILS 40
#define REQUEST 5

uint8_t __VERIFIER_nondet_uchar(void);

enum function { READ = 1, WRITE = 5 };

static uint8_t coils[COILS / 8];
static uint8_t request[REQUEST];
static uint8_t received;
static uint8_t exceptions;

static bool coil(uint8_t number) {
    return coils[number / 8] >> (number % 8) & 1;
}

static void set_coil(uint8_t number, bool on) {
    uint8_t mask = (uint8_t)(1u << number % 8);
    if (on)
        coils[number / 8] |= mask;
    else
        coils[number / 8] &= (uint8_t)~mask;
}

static bool valid(uint8_t address, uint8_t count) {
    uint8_t end = address + count;
    return count > 0 && end <= COILS;
}

static uint8_t serve(void) {
    uint8_t address = request[2], count = request[3], on = 0;
    if (!valid(address, request[1] == WRITE ? 1 : count)) {
        exceptions++;
        return 0;
    }
    if (request[1] == WRITE)
        set_coil(address, count == 0xff);
    for (uint8_t i = 0; request[1] == READ && i < count; i++)
        on += coil((uint8_t)(address + i));
    return on;
}

int main(void) {
    for (;;) {
        request[received++] = __VERIFIER_nondet_uchar();
        if (received < REQUEST)
            continue;
        received = 0;
        uint8_t sum = request[0] + request[1] + request[2] + request[3];
        if (sum == request[4]) {
            uint8_t on = serve();
            assert(on <= COILS);
        }
    }
}
