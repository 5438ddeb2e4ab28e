// kripke: check
// verdict: violated
// violates: pointer@14

int main(void)
{
    int *p;
    {
        int x[2] = {1, 2};
        p = x;
        goto out;
    }
out:
    return p[1];
}
