/* Figure 4, right: the invariant as a temporal property. It speaks about every moment at which `looking` is
   set; while i and j change, the program looks away. */
enum { COUNT = 6 };

const int count = COUNT;
int i = COUNT;
int j = 0;
int looking = 1; /* read by the property only */
int done = 0;    /* read by the property only */

int main(void) {
    while (i) {
        looking = 0;
        i--;
        j++;
        looking = 1;
    }
    done = 1;
    return 0;
}
