// kripke: check --interrupt tick --interrupt-if tick:STATUS&1
// verdict: error
// prints: `STATUS` is const, so only the device changes it
extern const volatile unsigned char STATUS;
void tick(void) {}
int main(void)
{
    return 0;
}
