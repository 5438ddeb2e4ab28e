// kripke: check
// verdict: error
// exit: 3
// prints: cannot assign to variable 'by' with const-qualified type

int next(int by) __CPROVER_requires(by = 3) { return by; }

int main(void)
{
    return next(1);
}
