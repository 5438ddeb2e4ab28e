/* POSIX; the conversions between byte orders alone. */
#ifndef KRIPKE_ARPA_INET_H
#define KRIPKE_ARPA_INET_H
#include <stdint.h>
uint32_t htonl(uint32_t);
uint16_t htons(uint16_t);
uint32_t ntohl(uint32_t);
uint16_t ntohs(uint16_t);
#endif
