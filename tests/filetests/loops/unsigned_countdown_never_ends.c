// kripke: check
// verdict: violated
// violates: bounds@9

int main(void)
{
    int a[4] = {1, 2, 3, 4}, sum = 0;
    for (unsigned i = 3; i >= 0; i--)
        sum += a[i];
    return sum;
}
