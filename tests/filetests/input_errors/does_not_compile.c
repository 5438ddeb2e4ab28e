// kripke: check
// verdict: error
// prints: error

int main(void)
{
    return undeclared;
}
