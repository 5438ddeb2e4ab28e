/* What csmith's programs need of their run-time library, written for results that do not depend on the width
   of int: every wrapper computes in the types of its name, distances of shifts have 32 bits, and results of
   uint16_t, which C promotes to signed int on one side and to unsigned int on the other, are handed on as
   int32_t. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifndef __AVR__
#include <stdio.h>
#endif

volatile uint32_t checksum = 2166136261u;

static inline void mix(uint64_t value) {
    for (int byte = 0; byte < 8; byte++) {
        checksum = (checksum ^ (uint8_t)(value >> (8 * byte))) * 16777619u;
    }
}

#define transparent_crc(value, name, flag) mix(value)
#define transparent_crc_bytes(bytes, count, name, flag) \
    for (size_t byte = 0; byte < (count); byte++) mix(((const uint8_t *)(bytes))[byte])
#define crc32_gentab()
#define platform_main_begin()

#ifdef __AVR__
#define platform_main_end(crc, flag) __asm__ volatile("break" : : : "memory")
#else
#define platform_main_end(crc, flag) finish()
static inline void finish(void) {
    printf("%lu\n", (unsigned long)checksum);
}
#endif
#define printf(...)

#define UNSIGNED(T, R, bits) \
    static inline R safe_unary_minus_func_##T##_u(T a) { return (T)(0 - a); } \
    static inline R safe_add_func_##T##_u_u(T a, T b) { return (T)(a + b); } \
    static inline R safe_sub_func_##T##_u_u(T a, T b) { return (T)(a - b); } \
    static inline R safe_mul_func_##T##_u_u(T a, T b) { return (T)(a * b); } \
    static inline R safe_div_func_##T##_u_u(T a, T b) { return (T)(b == 0 ? a : a / b); } \
    static inline R safe_mod_func_##T##_u_u(T a, T b) { return (T)(b == 0 ? a : a % b); } \
    static inline R safe_lshift_func_##T##_u_u(T a, uint32_t n) { return (T)(a << (n % bits)); } \
    static inline R safe_rshift_func_##T##_u_u(T a, uint32_t n) { return (T)(a >> (n % bits)); } \
    static inline R safe_lshift_func_##T##_u_s(T a, int32_t n) { return (T)(a << ((uint32_t)n % bits)); } \
    static inline R safe_rshift_func_##T##_u_s(T a, int32_t n) { return (T)(a >> ((uint32_t)n % bits)); }

#define SIGNED(T, U, bits) \
    static inline T safe_unary_minus_func_##T##_s(T a) { return (T)(U)(0 - (U)a); } \
    static inline T safe_add_func_##T##_s_s(T a, T b) { return (T)(U)((U)a + (U)b); } \
    static inline T safe_sub_func_##T##_s_s(T a, T b) { return (T)(U)((U)a - (U)b); } \
    static inline T safe_mul_func_##T##_s_s(T a, T b) { return (T)(U)((U)a * (U)b); } \
    static inline T safe_div_func_##T##_s_s(T a, T b) { return b == 0 || b == -1 ? a : (T)(a / b); } \
    static inline T safe_mod_func_##T##_s_s(T a, T b) { return b == 0 || b == -1 ? a : (T)(a % b); } \
    static inline T safe_lshift_func_##T##_s_u(T a, uint32_t n) { return (T)(U)((U)a << (n % bits)); } \
    static inline T safe_rshift_func_##T##_s_u(T a, uint32_t n) { return (T)(a >> (n % bits)); } \
    static inline T safe_lshift_func_##T##_s_s(T a, int32_t n) { \
        return (T)(U)((U)a << ((uint32_t)n % bits)); \
    } \
    static inline T safe_rshift_func_##T##_s_s(T a, int32_t n) { return (T)(a >> ((uint32_t)n % bits)); }

UNSIGNED(uint8_t, uint8_t, 8)
UNSIGNED(uint16_t, int32_t, 16)
UNSIGNED(uint32_t, uint32_t, 32)
UNSIGNED(uint64_t, uint64_t, 64)
SIGNED(int8_t, uint8_t, 8)
SIGNED(int16_t, uint16_t, 16)
SIGNED(int32_t, uint32_t, 32)
SIGNED(int64_t, uint64_t, 64)
