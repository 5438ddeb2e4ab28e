/* A receive buffer that an interrupt fills and the main loop empties, as static variables of a driver. */
#include <stdbool.h>
#include <stdint.h>

#define SIZE 16

extern volatile uint8_t UDR;

static uint8_t buffer[SIZE], head, tail;
static uint32_t baud = 9600;

void uart_receive_isr(void) {
    buffer[head++] = UDR;
}

bool uart_get(uint8_t *byte) {
    if (head == tail)
        return false;
    *byte = buffer[tail++ % SIZE];
    return true;
}

void uart_set_baud(uint32_t rate) {
    baud = rate;
}

uint32_t uart_timeout_us(void) {
    return 10000000 / baud;
}
