/* P3 of Figure 2: every iteration ends with s == 1, the answer. */
int s = 0;

int main(void) {
    s = 1;
    while (1) {
        s = 0;
        s = 1;
    }
}
