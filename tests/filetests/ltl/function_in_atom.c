// kripke: check --check none
// verdict: violated
// ltl: p: G {full() == 0}
// violates: p

static unsigned head, tail;
static int full(void)
{
    return (head + 1) % 4 == tail;
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        head = (head + 1) % 4;
    return full();
}
