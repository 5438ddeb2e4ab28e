// kripke: check
// verdict: violated
// violates: assigns@9

int calls __asm__("count.calls");

static int count(void) __CPROVER_assigns()
{
    return ++calls;
}

int main(void)
{
    return count() - count();
}
