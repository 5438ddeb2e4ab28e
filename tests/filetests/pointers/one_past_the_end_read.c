// kripke: check
// verdict: violated
// violates: pointer@9

int main(void)
{
    int a[3] = {1, 2, 3}, sum = 0;
    for (int *p = a; p <= a + 3; p++)
        sum += *p;
    return sum;
}
