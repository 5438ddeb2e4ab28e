#include <complex.h>

double complex global = 1.0 + 2.0 * I;
float complex product(float complex a, float complex b) { return a * b + conjf(a); }
int main(void) {
    double complex z = global * global / (1.0 - I);
    return (int)creal(z) + (int)cimag(z) + (int)crealf(product(1, I)) + (z == global);
}
