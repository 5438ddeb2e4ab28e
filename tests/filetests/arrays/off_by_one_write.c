// kripke: check
// verdict: violated
// violates: bounds@9

int main(void)
{
    int a[5];
    for (int i = 0; i <= 5; i++)
        a[i] = i;
    return a[0];
}
