/* For checking these programs as C: outputs that the program alone changes are variables there, so that
 * formulas can read them. Other registers stay what they are: a read gives any value.
 *
 *     kripke check plant/plant.c --include outputs.h --target avr -D __AVR_ATmega16__ --interrupts ... */
#include <avr/io.h>
#include <stdint.h>

#undef PORTA
#undef PORTB
#undef PORTC
#undef PORTD
#undef DDRA
#undef DDRB
#undef DDRC
#undef DDRD

volatile uint8_t PORTA, PORTB, PORTC, PORTD, DDRA, DDRB, DDRC, DDRD;
