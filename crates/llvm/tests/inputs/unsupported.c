/* The constructs that are kept as text: computed goto and assembly with jumps. Plain inline assembly
 * is a call. */
__asm__(".globl nothing\nnothing:");

static int interpret(const unsigned char *code) {
    static const void *const targets[] = {&&stop, &&increment};
    int value = 0;
    goto *targets[*code];
increment:
    value++;
    code++;
    goto *targets[*code];
stop:
    return value;
}

static int jump(int x) {
    __asm__ goto("test %0, %0\n\tjz %l1" : : "r"(x) : "cc" : zero);
    return 1;
zero:
    return 0;
}

int main(void) {
    int in = 3, out;
    __asm__ volatile("mov %1, %0\n\tadd $1, %0" : "=r"(out) : "r"(in) : "cc", "memory");
    return interpret((const unsigned char[]){1, 0}) + jump(out);
}
