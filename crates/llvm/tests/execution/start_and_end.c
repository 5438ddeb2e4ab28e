#include <stdio.h>
#include <stdlib.h>
static int order;
__attribute__((constructor(200))) static void second(void) { printf("second %d\n", ++order); }
__attribute__((constructor(101))) static void first(void) { printf("first %d\n", ++order); }
__attribute__((constructor)) static void third(void) { printf("third %d\n", ++order); }
__attribute__((destructor)) static void last(void) { printf("last %d\n", ++order); }
static void handler(void) { printf("handler %d\n", ++order); }
extern int missing(void) __attribute__((weak));
extern int missing_object __attribute__((weak));
int main(void) { atexit(handler); printf("main %d %d %d\n", order, missing ? missing() : 7, &missing_object ? 1 : 2); if (order == 3) exit(4); return 5; }
