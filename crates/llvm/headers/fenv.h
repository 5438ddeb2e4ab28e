#ifndef KRIPKE_FENV_H
#define KRIPKE_FENV_H
typedef unsigned int fexcept_t;
typedef struct { unsigned int state; } fenv_t;
#define FE_TONEAREST 0
#define FE_TOWARDZERO 1
#define FE_UPWARD 2
#define FE_DOWNWARD 3
int fegetround(void);
int fesetround(int);
#endif
