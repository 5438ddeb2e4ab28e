// kripke: check --check none
// verdict: holds
// ltl: X {device.ready == 1}

static struct { int counter; int ready; } device;
int main(void)
{
    device.counter = 3;
    device.ready = 1;
    return 0;
}
