/* Runs a firmware image in simavr with its peripherals and a random environment, and tells every step: the
   program counter and the bytes of memory that changed. The Rust side (inclusion.rs) knows the layout.

   Arguments: image, device, steps, seed, and for each I/O register its address, its value at reset, and the
   flags in it that several timers share and that writing a 1 clears. simavr does not have these as the
   datasheets say: it begins with the stack pointer at the end of memory and with the USART's transmitter on,
   and a write to the flags of several timers, of which one timer's is 1, clears the other timers' as well.
   A 1 written to ADIF does not clear it ("ADCSRA" in the datasheets).
   The environment changes input pins, voltages and received bytes, and lets time pass at once, as if the
   oscillator were faster for a moment: by as many cycles at most as two to the power of HASTE in the
   environment, 16 unless set. */
#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/avr_twi.h>
#include <simavr/avr_uart.h>
#include <simavr/avr_watchdog.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_regbit.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INITIAL, INSTRUCTION, INTERRUPT, ASLEEP, RESET };

static avr_t *avr;
static uint8_t *before;
static uint64_t state;
static uint32_t haste = 0x10000;
static uint8_t shared_flags[0x200], at_reset[0x200], has_reset_value[0x200];
static avr_watchdog_t *watchdog;
static avr_spi_t *spi;

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr, (void)level, (void)format, (void)arguments;
}

static uint32_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static void put(uint16_t value) {
    putchar_unlocked(value & 0xFF);
    putchar_unlocked(value >> 8);
}

/* Kind, word address, number of changes, and each change's address and value. */
static void tell(int kind) {
    static uint16_t changed[0x10000];
    unsigned count = 0;
    READ_SREG_INTO(avr, avr->data[R_SREG]);
    for (unsigned address = 0; address <= avr->ramend; address++) {
        if (avr->data[address] != before[address]) {
            before[address] = avr->data[address];
            changed[count++] = address;
        }
    }
    putchar_unlocked(kind);
    put(avr->pc / 2);
    putchar_unlocked(avr->pc / 2 >> 16);
    put(count);
    for (unsigned index = 0; index < count; index++) {
        put(changed[index]);
        putchar_unlocked(before[changed[index]]);
    }
}

static void change_pin(void) {
    char port = 'A' + next() % 7;
    unsigned bit = next() % 8;
    avr_ioport_state_t pins;
    avr_irq_t *line = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
    /* Only the program drives outputs. */
    if (line && avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(port), &pins) >= 0 && !(pins.ddr >> bit & 1)) {
        avr_raise_irq(line, next() & 1);
    }
}

/* Another master, of SPI or of TWI, sends a byte. To a master of SPI none does: a byte that comes without a
   transfer of its own sets SPIF in simavr. */
static void call_slave(void) {
    avr_irq_t *line = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT);
    if (line && spi && avr_regbit_get(avr, spi->spe) && !avr_regbit_get(avr, spi->mstr)) {
        avr_raise_irq(line, next() & 0xFF);
    }
    line = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT);
    if (line) {
        static const uint8_t conditions[] = {
            TWI_COND_START | TWI_COND_ADDR | TWI_COND_WRITE,
            TWI_COND_WRITE,
            TWI_COND_STOP,
            TWI_COND_ACK | TWI_COND_ADDR,
            TWI_COND_ACK,
        };
        avr_raise_irq(line, avr_twi_irq_msg(conditions[next() % 5], 0x42, next() & 0xFF));
    }
}

static void change_environment(void) {
    avr_irq_t *line;
    switch (next() % 64) {
    case 0:
        avr->cycle += next() % haste;
        break;
    case 1:
        avr->cycle += next() % 0x400;
        break;
    case 2:
        line = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
        if (!line) {
            line = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('1'), UART_IRQ_INPUT);
        }
        if (line) {
            avr_raise_irq(line, next() & 0xFF);
        }
        break;
    case 3:
        line = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + next() % 8);
        if (line) {
            avr_raise_irq(line, next() % 5000);
        }
        break;
    case 4 ... 11:
        change_pin();
        break;
    case 12:
        call_slave();
        break;
    }
}

static void reset_registers(void) {
    for (unsigned address = 0; address < sizeof at_reset; address++) {
        if (has_reset_value[address]) {
            avr->data[address] = at_reset[address];
        }
    }
}

/* simavr asks for a reset by replacing what runs the core. */
static void reset(void) {
    avr->run(avr);
    reset_registers();
}

static avr_flashaddr_t run_instruction(void) {
    uint16_t first = avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8;
    unsigned address = 0;
    if ((first & 0xF800) == 0xB800) {
        address = ((first >> 5 & 0x30) | (first & 0x0F)) + 0x20;
    } else if ((first & 0xFE0F) == 0x9200) {
        address = avr->flash[avr->pc + 2] | avr->flash[avr->pc + 3] << 8;
    } else if ((first & 0xFF00) == 0x9A00) {
        address = (first >> 3 & 0x1F) + 0x20;
    }
    /* After RETI one more instruction is always executed before an interrupt; with simavr two are, and none
       if I was 1. */
    if (first == 0x9518) {
        avr->sreg[S_I] = 0;
    }
    uint8_t flags = address < sizeof shared_flags ? shared_flags[address] : 0;
    uint8_t old = avr->data[address], written = avr->data[first >> 4 & 0x1F];
    if ((first & 0xFF00) == 0x9A00) {
        written = old | 1 << (first & 7);
    }
    avr_flashaddr_t following = avr_run_one(avr);
    if (avr->interrupt_state < 0) {
        int delays = first == 0x9518 || first == 0x9478;
        avr->interrupt_state = delays ? -1 : avr_has_pending_interrupts(avr);
    }
    /* What permits to change the watchdog, a 1 for WDCE and for WDE, writes WDE and the interrupt's enable
       bit too; simavr leaves them out. */
    if (address && watchdog && address == watchdog->wde.reg) {
        uint8_t enable = 1 << watchdog->wde.bit, both = enable | 1 << watchdog->wdce.bit;
        uint8_t interrupt = watchdog->watchdog.enable.reg ? 1 << watchdog->watchdog.enable.bit : 0;
        if ((written & both) == both) {
            avr->data[address] = (avr->data[address] & ~interrupt) | enable | (written & interrupt);
        }
    }
    if (flags) {
        avr->data[address] = (avr->data[address] & ~flags) | (old & flags & ~written);
    }
    return following;
}

/* A flag is remembered until its interrupt is enabled, say the datasheets; simavr looks at the moment only
   when a flag is set. */
static void remember_flags(void) {
    for (unsigned index = 0; index < avr->interrupts.vector_count; index++) {
        avr_int_vector_t *vector = avr->interrupts.vector[index];
        if (vector->raised.reg && avr_regbit_get(avr, vector->raised) &&
            avr_regbit_get(avr, vector->enable)) {
            avr_raise_interrupt(avr, vector);
        }
    }
}

int main(int count, char **arguments) {
    elf_firmware_t firmware = {0};
    if (count < 5) {
        return 2;
    }
    avr_global_logger_set(quiet);
    /* What simavr says of its cores is no part of the answer. */
    int answer = dup(1);
    dup2(2, 1);
    avr = avr_make_mcu_by_name(arguments[2]);
    if (!avr || elf_read_firmware(arguments[1], &firmware) || avr_init(avr)) {
        return 2;
    }
    fflush(stdout);
    dup2(answer, 1);
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    avr->vcc = avr->avcc = avr->aref = 5000;
    long steps = atol(arguments[3]);
    haste = getenv("HASTE") ? 1u << atoi(getenv("HASTE")) : haste;
    state = atol(arguments[4]);
    for (int index = 5; index + 2 < count; index += 3) {
        uint16_t address = atol(arguments[index]);
        has_reset_value[address] = 1;
        at_reset[address] = atol(arguments[index + 1]);
        shared_flags[address] = atol(arguments[index + 2]);
    }
    reset_registers();
    for (avr_io_t *io = avr->io_port; io; io = io->next) {
        if (!strcmp(io->kind, "watchdog")) {
            watchdog = (avr_watchdog_t *)io;
        } else if (!strcmp(io->kind, "spi")) {
            spi = (avr_spi_t *)io;
        }
    }
    avr_run_t run = avr->run;
    before = calloc(1, avr->ramend + 1);
    tell(INITIAL);
    int asleep = 0;
    for (long done = 0; done < steps && avr->state != cpu_Crashed;) {
        change_environment();
        int kind = asleep ? ASLEEP : INSTRUCTION;
        avr_flashaddr_t following = avr->pc;
        if (!asleep) {
            asleep = (avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8) == 0x9588;
            following = run_instruction();
        }
        avr_cycle_count_t pause = avr_cycle_timer_process(avr);
        avr->pc = following;
        if (asleep) {
            avr->cycle += 1 + pause;
            /* What wakes the core is the entry into a handler; simavr goes on after SLEEP when one is only
               requested. */
            avr->state = cpu_Running;
        }
        remember_flags();
        tell(kind);
        done++;
        if (avr->run != run) {
            reset();
            asleep = 0;
            tell(RESET);
            done++;
            continue;
        }
        int enabled = avr->sreg[S_I], delayed = avr->interrupt_state < 0;
        /* A request that was withdrawn costs simavr a turn. */
        do {
            avr_service_interrupts(avr);
        } while (avr->sreg[S_I] && avr->interrupt_state > 0 && !delayed);
        if (enabled && !avr->sreg[S_I]) {
            asleep = 0;
            tell(INTERRUPT);
            done++;
        }
    }
    return 0;
}
