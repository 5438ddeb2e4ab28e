/* The display: a picture in RAM, and a small state machine that keeps the controller's memory equal to it. */
#include "display.h"

#include <stdbool.h>

#include "board.h"

/* Commands of the controller. */
#define COMMAND_CLEAR 0x01
#define COMMAND_ENTRY_RIGHT 0x06
#define COMMAND_DISPLAY_ON 0x0C
#define COMMAND_FOUR_BITS 0x28
#define COMMAND_ADDRESS 0x80
#define SECOND_LINE 0x40

/* What the controller is told before the first character. */
static const uint8_t start_sequence[] = {
    COMMAND_FOUR_BITS,
    COMMAND_DISPLAY_ON,
    COMMAND_CLEAR,
    COMMAND_ENTRY_RIGHT,
};

enum display_state {
    DISPLAY_STARTING,  /* the start sequence is being sent */
    DISPLAY_ADDRESSING, /* the next thing to send is the address of a line */
    DISPLAY_WRITING     /* the next thing to send is a character */
};

static enum display_state state;
static uint8_t position; /* in the start sequence, or the column */
static uint8_t line;

/* The fields in reading order, first line first. What was never written is 0, and shown as a blank. */
static char picture[DISPLAY_FIELDS][FIELD_LENGTH];

/* Half a byte, taken over by the controller at the falling edge of E. */
static void put_nibble(uint8_t nibble) {
    PORTC = (uint8_t)((PORTC & (uint8_t)~DISPLAY_DATA) | (uint8_t)(nibble << 4));
    PORTB |= DISPLAY_E;
    PORTB &= (uint8_t)~DISPLAY_E;
}

static void put_byte(uint8_t byte) {
    put_nibble(byte >> 4);
    put_nibble(byte & 0x0F);
}

static void put_command(uint8_t command) {
    PORTB &= (uint8_t)~DISPLAY_RS;
    put_byte(command);
}

static void put_data(uint8_t byte) {
    PORTB |= DISPLAY_RS;
    put_byte(byte);
}

static char character_at(uint8_t at_line, uint8_t column) {
    uint8_t field = (uint8_t)(at_line * (DISPLAY_COLUMNS / FIELD_LENGTH) + column / FIELD_LENGTH);
    char character = picture[field][column % FIELD_LENGTH];
    return character == '\0' ? ' ' : character;
}

/* Asks the controller whether it still works on the last byte. */
static bool busy(void) {
    bool is_busy;
    DDRC &= (uint8_t)~DISPLAY_DATA;
    PORTB &= (uint8_t)~DISPLAY_RS;
    PORTB |= DISPLAY_READ;
    PORTB |= DISPLAY_E;
    is_busy = (PINC & DISPLAY_BUSY) != 0;
    PORTB &= (uint8_t)~DISPLAY_E;
    PORTB |= DISPLAY_E; /* the low nibble, which nobody needs */
    PORTB &= (uint8_t)~DISPLAY_E;
    PORTB &= (uint8_t)~DISPLAY_READ;
    DDRC |= DISPLAY_DATA;
    return is_busy;
}

void display_initialise(void) {
    DDRB |= DISPLAY_RS | DISPLAY_E | DISPLAY_READ;
    DDRC |= DISPLAY_DATA;
    state = DISPLAY_STARTING;
    position = 0;
    line = 0;
}

void display_step(void) {
    if (busy()) {
        return;
    }
    switch (state) {
    case DISPLAY_STARTING:
        put_command(start_sequence[position]);
        position++;
        if (position >= sizeof start_sequence) {
            state = DISPLAY_ADDRESSING;
        }
        break;
    case DISPLAY_ADDRESSING:
        put_command((uint8_t)(COMMAND_ADDRESS | (line == 0 ? 0 : SECOND_LINE)));
        position = 0;
        state = DISPLAY_WRITING;
        break;
    case DISPLAY_WRITING:
        put_data((uint8_t)character_at(line, position));
        position++;
        if (position >= DISPLAY_COLUMNS) {
            line = (uint8_t)((line + 1) % DISPLAY_LINES);
            state = DISPLAY_ADDRESSING;
        }
        break;
    }
}

void display_text(uint8_t field, const char text[FIELD_LENGTH]) {
    if (field < DISPLAY_FIELDS) {
        picture[field][0] = text[0];
        picture[field][1] = text[1];
        picture[field][2] = text[2];
        picture[field][3] = text[3];
    }
}

/* Takes `part` units of a decimal place out of `rest` if they are in it; how many were taken. */
static uint8_t take(uint16_t *rest, uint8_t part, uint8_t unit) {
    uint16_t amount = (uint16_t)(part * unit);
    if (*rest < amount) {
        return 0;
    }
    *rest = (uint16_t)(*rest - amount);
    return part;
}

/* The digit of a place, by halves: no division on this chip. */
static uint8_t take_digit(uint16_t *rest, uint8_t unit) {
    uint8_t digit = take(rest, 8, unit);
    digit = (uint8_t)(digit + take(rest, 4, unit));
    digit = (uint8_t)(digit + take(rest, 2, unit));
    return (uint8_t)(digit + take(rest, 1, unit));
}

void display_number(uint8_t field, uint16_t number) {
    char text[FIELD_LENGTH];
    uint16_t rest = number > 999 ? 999 : number;
    uint8_t hundreds = take_digit(&rest, 100);
    uint8_t tens = take_digit(&rest, 10);
    text[0] = ' ';
    text[1] = hundreds == 0 ? ' ' : (char)('0' + hundreds);
    text[2] = hundreds == 0 && tens == 0 ? ' ' : (char)('0' + tens);
    text[3] = (char)('0' + rest);
    display_text(field, text);
}
