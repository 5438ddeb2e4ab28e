// kripke: check
// verdict: violated
// violates: overflow@11

long long nondet_longlong(void);

int main(void)
{
    __int128 a = nondet_longlong();
    __int128 largest = (__int128)(~(unsigned __int128)0 >> 1);
    return largest - a < 0;
}
