#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;

int states(int input) {
    int state = 0;
    while (input-- > 0) {
        switch (state) {
        case 0: state = 1; break;
        case 1:
        case 2 ... 5: state++; continue;
        case -7: goto out;
        default: state = input & 3;
        }
        do { if (state > 9) break; } while (++state < 3);
    }
    for (;;) { if (input++ > 4) goto out; }
out:
    return state;
}

long long wide_switch(long long x) {
    switch (x) { case 0x100000000LL: return 1; case -1: return 2; }
    return x;
}

int recursive(int n) { return n <= 1 ? 1 : n * recursive(n - 1); }
_Noreturn static void stop(int code) { exit(code); }
static int nested(int n) { return ({ int t = n; t * 2; }) + (n ?: 5); }

int main(int argc, char **argv) {
    if (argc > 10) stop(argc);
    if (setjmp(place)) return 1;
    if (argc > 5) longjmp(place, argc);
    return states(argc) + recursive(5) + (int)wide_switch(argc) + nested(argc) + (argv[0][0] == 'a');
}
