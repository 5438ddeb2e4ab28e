// kripke: check
// verdict: violated
// violates: pointer@9

int main(void)
{
    _Alignas(4) unsigned char buffer[8] = {0};
    int *p = (int *)(buffer + 1);
    return *p;
}
