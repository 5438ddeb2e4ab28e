// kripke: check --entry second
// verdict: violated
// violates: pointer@8

int second(const int *numbers)
{
    if (numbers)
        return numbers[1];
    return 0;
}
