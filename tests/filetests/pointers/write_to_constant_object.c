// kripke: check
// verdict: violated
// violates: pointer@10

static const int table[2] = {1, 2};

int main(void)
{
    int *p = (int *)table;
    p[1] = 5;
    return 0;
}
