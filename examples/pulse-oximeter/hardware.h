/* The registers of the ATmega16, and what else the firmware needs of the chip.
 *
 * Every register is an ordinary C lvalue at a fixed address of the data space (its I/O address plus 0x20), so
 * that the same sources compile as firmware, for the host and for a model checker. On the host they compile
 * and link; running them makes sense on the chip only. For a model checker such a register is the outside
 * world: reading it gives any value.
 */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdint.h>

/* A host's compiler may take an access to a small address for one through a null pointer. */
#if !defined(__AVR__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif

#define REGISTER(address) (*(volatile uint8_t *)(uintptr_t)(address))
#define BIT(number) ((uint8_t)(1u << (number)))

/* Clock of the board: a crystal that divides well into serial rates. */
#define CLOCK_HERTZ 7372800ul

/* Ports: what the pins show, their direction, and what is driven (or pulled up). */
#define PINA REGISTER(0x39)
#define DDRA REGISTER(0x3A)
#define PORTA REGISTER(0x3B)
#define PINB REGISTER(0x36)
#define DDRB REGISTER(0x37)
#define PORTB REGISTER(0x38)
#define PINC REGISTER(0x33)
#define DDRC REGISTER(0x34)
#define PORTC REGISTER(0x35)
#define PIND REGISTER(0x30)
#define DDRD REGISTER(0x31)
#define PORTD REGISTER(0x32)

/* Analogue to digital converter. */
#define ADCL REGISTER(0x24)
#define ADCH REGISTER(0x25)
#define ADCSRA REGISTER(0x26)
#define ADMUX REGISTER(0x27)

#define ADCSRA_ADEN BIT(7)
#define ADCSRA_ADSC BIT(6)
#define ADCSRA_ADIE BIT(3)
#define ADCSRA_PRESCALE_64 0x06
#define ADMUX_AVCC BIT(6)
#define ADMUX_LEFT_ADJUST BIT(5)
#define ADMUX_CHANNEL_0 0x00

/* Serial interface. UBRRH and UCSRC share an address; bit 7 of what is written tells them apart. */
#define UBRRL REGISTER(0x29)
#define UCSRB REGISTER(0x2A)
#define UCSRA REGISTER(0x2B)
#define UDR REGISTER(0x2C)
#define UBRRH REGISTER(0x40)
#define UCSRC REGISTER(0x40)

#define UCSRA_FE BIT(4)
#define UCSRA_DOR BIT(3)
#define UCSRA_PE BIT(2)
#define UCSRB_RXCIE BIT(7)
#define UCSRB_UDRIE BIT(5)
#define UCSRB_RXEN BIT(4)
#define UCSRB_TXEN BIT(3)
#define UCSRC_URSEL BIT(7)
#define UCSRC_8_BITS (BIT(2) | BIT(1))

/* Timer 0. */
#define TCNT0 REGISTER(0x52)
#define TCCR0 REGISTER(0x53)
#define TIFR REGISTER(0x58)
#define TIMSK REGISTER(0x59)
#define OCR0 REGISTER(0x5C)

#define TCCR0_CLEAR_ON_COMPARE BIT(3)
#define TCCR0_PRESCALE_1024 0x05
#define TIMSK_OCIE0 BIT(1)

/* Watchdog, and the reason of the last reset. */
#define WDTCR REGISTER(0x41)
#define MCUCSR REGISTER(0x54)

#define WDTCR_WDE BIT(3)
#define WDTCR_2_SECONDS 0x07
#define MCUCSR_WDRF BIT(3)

/* Status register: bit 7 enables interrupts. */
#define SREG REGISTER(0x5F)

/* INTERRUPT(name, number) { … } defines the handler of an interrupt vector. Off the chip the handler is an
 * ordinary function of that name, for the check build to call whenever the interrupt may come. */
#ifdef __AVR__
#define INTERRUPT(name, number) INTERRUPT_VECTOR(number)
#define INTERRUPT_VECTOR(number)                                \
    void __vector_##number(void) __attribute__((signal, used)); \
    void __vector_##number(void)
#define INTERRUPTS_ENABLE() __asm__ __volatile__("sei" ::: "memory")
#define INTERRUPTS_DISABLE() __asm__ __volatile__("cli" ::: "memory")
#define WATCHDOG_RESET() __asm__ __volatile__("wdr")
#else
#define INTERRUPT(name, number) void name(void)
#define INTERRUPTS_ENABLE() ((void)0)
#define INTERRUPTS_DISABLE() ((void)0)
#define WATCHDOG_RESET() ((void)0)
#endif

#define VECTOR_USART_RXC 11
#define VECTOR_USART_UDRE 12
#define VECTOR_ADC 14
#define VECTOR_TIMER0_COMP 19

/* The handlers, by the names they have off the chip. */
void timer_interrupt(void);
void serial_receive_interrupt(void);
void serial_transmit_interrupt(void);
void sensor_interrupt(void);

#endif
