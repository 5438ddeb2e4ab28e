// kripke: check
// verdict: holds

extern int plugin(void) __attribute__((weak));

int main(void)
{
    return plugin ? plugin() : 0;
}
