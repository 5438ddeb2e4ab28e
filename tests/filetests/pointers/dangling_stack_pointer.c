// kripke: check
// verdict: violated
// violates: pointer@15

static int *local_address(void)
{
    int local = 3;
    int *p = &local;
    return p;
}

int main(void)
{
    int *p = local_address();
    return *p;
}
