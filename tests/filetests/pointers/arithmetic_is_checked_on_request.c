// kripke: check
// verdict: holds

static int a[4];
int main(void)
{
    int *first = a, *before = first - 1;
    return *(before + 1);
}
