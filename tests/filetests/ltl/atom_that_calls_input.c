// kripke: check --check none
// verdict: error
// ltl: G {sensor() < 3}
// prints: has no body

int sensor(void);
static int x;
int main(void)
{
    return x;
}
