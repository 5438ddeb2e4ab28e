// kripke: check
// verdict: violated
// violates: function-pointer@10

// A weak function that nothing defines has the address null.
extern int plugin(void) __attribute__((weak));

int main(void)
{
    return plugin();
}
