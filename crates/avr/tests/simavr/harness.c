/* Runs short pieces of code in simavr. Reads cases from standard input until it ends and answers each on
   standard output: the state after the steps. The Rust side (simavr.rs) knows the layout. */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x200, WORDS = 32, RAM = 0x100, RAM_END = 0x900, GPIOR0 = 0x3E, GPIOR1 = 0x4A, GPIOR2 = 0x4B };

#pragma pack(push, 1)
struct request {
    uint32_t seed;
    uint8_t registers[32];
    uint8_t general[3];
    uint8_t sreg;
    uint16_t sp;
    uint16_t steps;
    uint16_t code[WORDS];
};

struct answer {
    uint8_t registers[32];
    uint8_t general[3];
    uint8_t sreg;
    uint16_t sp;
    uint32_t pc;
    uint32_t hash;
};
#pragma pack(pop)

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr, (void)level, (void)format, (void)arguments;
}

int main(int count, char **arguments) {
    avr_global_logger_set(quiet);
    avr_t *avr = avr_make_mcu_by_name(count > 1 ? arguments[1] : "atmega328p");
    if (!avr || avr_init(avr)) {
        return 1;
    }
    memset(avr->flash, 0, avr->flashend + 1);
    avr->codeend = avr->flashend;
    avr->frequency = 16000000;
    struct request request;
    while (fread(&request, sizeof request, 1, stdin) == 1) {
        struct answer answer;
        uint32_t random = request.seed;
        for (unsigned address = RAM; address < RAM_END; address++) {
            random = random * 1664525u + 1013904223u;
            avr->data[address] = random >> 24;
        }
        memcpy(avr->data, request.registers, 32);
        avr->data[GPIOR0] = request.general[0];
        avr->data[GPIOR1] = request.general[1];
        avr->data[GPIOR2] = request.general[2];
        SET_SREG_FROM(avr, request.sreg);
        avr->data[R_SREG] = request.sreg;
        avr->data[R_SPL] = request.sp & 0xff;
        avr->data[R_SPH] = request.sp >> 8;
        memcpy(avr->flash + CODE, request.code, sizeof request.code);
        avr->pc = CODE;
        avr->state = cpu_Running;
        for (unsigned step = 0; step < request.steps; step++) {
            avr->pc = avr_run_one(avr);
        }
        memcpy(answer.registers, avr->data, 32);
        answer.general[0] = avr->data[GPIOR0];
        answer.general[1] = avr->data[GPIOR1];
        answer.general[2] = avr->data[GPIOR2];
        READ_SREG_INTO(avr, answer.sreg);
        answer.sp = avr->data[R_SPL] | avr->data[R_SPH] << 8;
        answer.pc = avr->pc;
        answer.hash = 2166136261u;
        for (unsigned address = RAM; address < RAM_END; address++) {
            answer.hash = (answer.hash ^ avr->data[address]) * 16777619u;
        }
        fwrite(&answer, sizeof answer, 1, stdout);
        fflush(stdout);
    }
    return 0;
}
