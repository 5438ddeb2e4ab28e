/* Runs a firmware image in simavr for so many instructions and prints how long that took. */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr, (void)level, (void)format, (void)arguments;
}

int main(int count, char **arguments) {
    elf_firmware_t firmware = {0};
    struct timespec start, end;
    if (count != 4) {
        return 2;
    }
    avr_global_logger_set(quiet);
    avr_t *avr = avr_make_mcu_by_name(arguments[2]);
    if (!avr || elf_read_firmware(arguments[1], &firmware) || avr_init(avr)) {
        return 1;
    }
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    long instructions = atol(arguments[3]);
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long done = 0; done < instructions; done++) {
        avr->pc = avr_run_one(avr);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9;
    printf("{\"instructions\": %ld, \"seconds\": %f, \"pc\": %lu}\n", instructions, seconds,
           (unsigned long)avr->pc);
    return 0;
}
