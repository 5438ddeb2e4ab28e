#ifndef KRIPKE_MALLOC_H
#define KRIPKE_MALLOC_H
#include <stdlib.h>
void *memalign(size_t, size_t);
void cfree(void *);
#endif
