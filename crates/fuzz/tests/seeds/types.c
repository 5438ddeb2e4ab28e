/* One of each kind of type, variable and function that debug information can describe. */

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { STOPPED, STARTING = 7, RUNNING } phase;
enum level { LOW = -1, HIGH = 300 };

struct sample {
    uint16_t value;
    struct sample *next;
    int8_t history[2][3];
};

union word {
    uint32_t whole;
    uint8_t bytes[4];
    struct {
        uint16_t low, high;
    } halves;
};

struct flags {
    uint8_t ready : 1;
    uint8_t count : 5;
    phase state : 3;
    int16_t offset : 9;
};

typedef struct {
    volatile union word both;
    union {
        char letter;
        int8_t number;
    };
    const char *name;
} record;

struct unseen;

volatile uint8_t ticks;
struct sample samples[3];
struct sample *const first = &samples[0];
static volatile phase now = STARTING;
enum level level = LOW;
struct flags flags = {1, 2, RUNNING, -3};
record records[2] = {{.name = "one"}};
struct unseen *nobody;
bool valid = true;
float ratio = 0.5f;
long long wide = -1;
const uint8_t table[] PROGMEM = {1, 2, 3};
int (*action)(struct sample *);

static int sum(struct sample *start)
{
    static int16_t calls;
    int total = ++calls;
    for (struct sample *each = start; each; each = each->next)
        total += each->value;
    return total;
}

static inline uint8_t entry(uint8_t index)
{
    return pgm_read_byte(&table[index & 1]);
}

ISR(TIMER0_OVF_vect)
{
    ticks++;
}

int main(void)
{
    action = sum;
    TIMSK |= 1 << TOIE0;
    sei();
    for (;;) {
        static uint8_t index;
        records[index & 1].both.bytes[3] = entry(++index);
        flags.count += ticks;
        if (now == RUNNING && valid && level == HIGH)
            PORTB = action(first) + (uint8_t)wide + (ratio > 1) + (nobody != 0);
    }
}
