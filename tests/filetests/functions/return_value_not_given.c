// kripke: check
// verdict: violated
// violates: missing-return@11

int nondet_int(void);

static int find(int key)
{
    if (key > 0)
        return key;
}

int main(void)
{
    return find(nondet_int());
}
