// kripke: check --check none
// ltl: G {PORT == 0}
// verdict: error
// prints: it reads a device register

extern volatile unsigned char PORT;

int main(void)
{
    PORT = 1;
    return 0;
}
