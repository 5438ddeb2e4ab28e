// kripke: check --check none
// verdict: violated
// ltl: p: G {u.word == 0}
// violates: p

static union { unsigned word; unsigned char bytes[4]; } u;
int main(void)
{
    u.bytes[2] = 9;
    u.bytes[2] = 0;
    return 0;
}
