// kripke: check --interrupt tick --check atomicity
// verdict: holds

static int count;
void tick(void)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}
int main(void)
{
    __atomic_fetch_sub(&count, 1, __ATOMIC_SEQ_CST);
    return 0;
}
