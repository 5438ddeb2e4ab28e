// kripke: check
// verdict: violated
// violates: uninitialised@7

static void increment(int *p)
{
    *p += 1;
}

int main(void)
{
    int counter;
    increment(&counter);
    return counter;
}
