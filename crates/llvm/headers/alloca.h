#ifndef KRIPKE_ALLOCA_H
#define KRIPKE_ALLOCA_H
#undef alloca
#define alloca(size) __builtin_alloca(size)
#endif
