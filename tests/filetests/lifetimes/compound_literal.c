// kripke: check
// verdict: violated
// violates: pointer@11

int main(void)
{
    int *p;
    {
        p = (int[]){1, 2};
    }
    return *p;
}
