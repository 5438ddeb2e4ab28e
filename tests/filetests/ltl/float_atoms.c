// kripke: check --check none
// verdict: holds
// ltl: G {level >= 0.0f && level <= 1.0f}

float __VERIFIER_nondet_float(void);
static float level;
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (x >= 0 && x <= 1)
        level = x * x;
    return 0;
}
