/* A driver of a serial line. The receiver's handler puts each byte into a ring, the main loop takes it out; a
 * handler of higher priority empties the ring when the line breaks.
 *
 * Each side writes one index only, and the byte before the index, so nothing has to be protected: the
 * handler of a break only asks the main loop to drop what waits. With WRONG it moves the other side's index
 * itself. */
#include <assert.h>
#include <stdint.h>

#define SIZE 4

static volatile uint8_t ring[SIZE];
static volatile uint8_t head, tail;
static volatile uint8_t drop;
/* What the line sends: 1, 2, 3, ..., never 0. */
static uint8_t sent;

void uart_receive(void)
{
    uint8_t next = (uint8_t)((head + 1) % SIZE);
    if (next == tail)
        return;
    ring[head] = ++sent;
    head = next;
}

void uart_break(void)
{
#ifdef WRONG
    tail = head;
#else
    drop = 1;
#endif
}

/* The next byte, or 0 where there is none. */
static uint8_t uart_get(void)
{
    if (drop) {
        drop = 0;
        tail = head;
    }
    if (head == tail)
        return 0;
    uint8_t byte = ring[tail];
    assert(byte != 0);
    tail = (uint8_t)((tail + 1) % SIZE);
    return byte;
}

int main(void)
{
    uart_get();
    uart_get();
    return 0;
}
