// kripke: check
// verdict: violated
// violates: pointer@7

inline int square(const int *p)
{
    return *p * *p;
}

int main(void)
{
    return square(0);
}
