#ifndef KRIPKE_MEMORY_H
#define KRIPKE_MEMORY_H
#include <string.h>
#endif
