typedef int v4 __attribute__((vector_size(16)));
typedef float f2 __attribute__((vector_size(8)));

v4 constant = {1, 2, 3, 4};
v4 splat = {7, 7, 7, 7};
v4 mix(v4 a, v4 b) { return (a + b) * (v4){1, 1, 2, 2} - __builtin_shufflevector(a, b, 0, 4, 1, 5); }
f2 floats(f2 a) { a[1] = a[0] * 2; return a; }

int main(void) {
    v4 m = mix(constant, splat);
    m = m > constant;
    m = (m << 1) + 5;
    f2 f = floats((f2){1, 2});
    return m[0] + (int)f[1];
}
