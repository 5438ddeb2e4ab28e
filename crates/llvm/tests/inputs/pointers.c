#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int (*operation)(int, int);
typedef int (*variadic_operation)(const char *, ...);
typedef operation (*chooser)(int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation choose(int which) { return which ? add : sub; }
int old_style();
int old_style_definition(a, b) int a; char b; { return a + b; }
extern int unknown_length[];
extern int weak_function(void) __attribute__((weak));

operation const table[] = {add, sub, 0};
chooser choosers[2] = {choose};
char buffer[16];
char *const middle = &buffer[8];
int *one_past = (int *)(buffer + 16);
uintptr_t as_number = (uintptr_t)&buffer[3] + 1;
volatile uint32_t *const device = (volatile uint32_t *)0x40001000;
long distance = (char *)&buffer[9] - (char *)&buffer[2];
void *self = &self;

int main(int argc, char *argv[]) {
    char *heap = malloc((size_t)argc * 4 + 1);
    if (heap == NULL) return 1;
    memset(heap, 0, 4);
    memcpy(heap, "abc", 4);
    memmove(heap + 1, heap, 2);
    *device |= 4;
    char **cursor = argv;
    while (*cursor) cursor++;
    ptrdiff_t count = cursor - argv;
    int *restrict r = (int *)heap;
    const volatile int *const cv = r;
    int total = choosers[0](argc)(3, 4) + table[argc & 1](1, 2) + (int)count + *cv + old_style(1, 2.0);
    if (weak_function) total += weak_function();
    total += old_style_definition(1, 'x') + unknown_length[2] + (heap < middle) + (int)strlen(heap);
    variadic_operation v = (variadic_operation)(void *)add;
    total += v("x", 1);
    free(heap);
    return total;
}
