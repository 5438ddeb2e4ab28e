/* The byte order of the machine; POSIX.1-2024. */
#ifndef KRIPKE_ENDIAN_H
#define KRIPKE_ENDIAN_H
#include <stdint.h>
#define LITTLE_ENDIAN __ORDER_LITTLE_ENDIAN__
#define BIG_ENDIAN __ORDER_BIG_ENDIAN__
#define BYTE_ORDER __BYTE_ORDER__
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define __KRIPKE_LITTLE(width, x) ((uint##width##_t)(x))
#define __KRIPKE_BIG(width, x) __builtin_bswap##width(x)
#else
#define __KRIPKE_LITTLE(width, x) __builtin_bswap##width(x)
#define __KRIPKE_BIG(width, x) ((uint##width##_t)(x))
#endif
#define htobe16(x) __KRIPKE_BIG(16, x)
#define htobe32(x) __KRIPKE_BIG(32, x)
#define htobe64(x) __KRIPKE_BIG(64, x)
#define be16toh(x) __KRIPKE_BIG(16, x)
#define be32toh(x) __KRIPKE_BIG(32, x)
#define be64toh(x) __KRIPKE_BIG(64, x)
#define htole16(x) __KRIPKE_LITTLE(16, x)
#define htole32(x) __KRIPKE_LITTLE(32, x)
#define htole64(x) __KRIPKE_LITTLE(64, x)
#define le16toh(x) __KRIPKE_LITTLE(16, x)
#define le32toh(x) __KRIPKE_LITTLE(32, x)
#define le64toh(x) __KRIPKE_LITTLE(64, x)
#endif
