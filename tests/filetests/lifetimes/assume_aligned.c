// kripke: check
// verdict: violated
// violates: unreachable@9

static _Alignas(16) char bytes[32];

static char *at(int offset)
{
    return __builtin_assume_aligned(bytes + offset, 16);
}

int main(void)
{
    *at(16) = 1;
    *at(8) = 1;
    return 0;
}
