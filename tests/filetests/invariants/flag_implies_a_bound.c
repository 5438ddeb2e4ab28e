// kripke: check
// verdict: holds
// Only while the flag is set does the counter stay below the size.

unsigned char nondet_uchar(void);
char buffer[10];
_Bool receiving;
unsigned char count;

int main(void)
{
    for (;;) {
        unsigned char input = nondet_uchar();
        if (!receiving) {
            count = input;
            receiving = input < 10;
        } else {
            buffer[count] = (char)input;
            receiving = ++count < 10;
        }
    }
}
