/* Runs a firmware image in simavr until it is about to execute BREAK, and prints the number of instructions
   and four bytes of memory as a number. Exits with 1 if that many instructions were not enough. Static memory
   goes up to 0xFFFF, as with external memory. */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr, (void)level, (void)format, (void)arguments;
}

int main(int count, char **arguments) {
    elf_firmware_t firmware = {0};
    if (count != 5) {
        return 2;
    }
    avr_global_logger_set(quiet);
    avr_t *avr = avr_make_mcu_by_name(arguments[2]);
    if (!avr || elf_read_firmware(arguments[1], &firmware)) {
        return 2;
    }
    avr->ramend = 0xFFFF;
    if (avr_init(avr)) {
        return 2;
    }
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    long most = atol(arguments[3]);
    const uint8_t *result = avr->data + (atol(arguments[4]) & 0xFFFF);
    for (long done = 0; done < most; done++) {
        if (avr->flash[avr->pc] == 0x98 && avr->flash[avr->pc + 1] == 0x95) {
            uint32_t value;
            memcpy(&value, result, sizeof value);
            printf("%ld %lu\n", done, (unsigned long)value);
            return 0;
        }
        avr->pc = avr_run_one(avr);
    }
    return 1;
}
