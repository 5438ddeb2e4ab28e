/* POSIX; the conversions between byte orders alone. */
#ifndef KRIPKE_NETINET_IN_H
#define KRIPKE_NETINET_IN_H
#include <arpa/inet.h>
#endif
