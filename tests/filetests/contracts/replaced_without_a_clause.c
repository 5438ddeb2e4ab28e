// kripke: check --replace-calls set
// verdict: violated
// violates: assigns@10
// Without a clause a function whose calls are replaced assigns nothing.

static int state, other;

static void set(int to) __CPROVER_requires(to > 0)
{
    state = to;
}

int main(void)
{
    set(1);
    return other;
}
