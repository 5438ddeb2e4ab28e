// kripke: check
// verdict: holds

int nondet_int(void);

static void note(int key)
{
    if (key > 0)
        return;
}

int main(void)
{
    note(nondet_int());
}
