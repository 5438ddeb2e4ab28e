"""Generates the 40 programs of the cdfpl float family (D'Silva, Haller, Kroening, Tautschnig: Numeric bounds
analysis with conflict-driven learning, TACAS 2012): Newton steps, sine and square root as polynomials of one
unknown input."""

SINE = "x - (x*x*x)/6.0f + (x*x*x*x*x)/120.0f + (x*x*x*x*x*x*x)/5040.0f"
COSINE = "1 - (x*x)/2.0f + (x*x*x*x)/24.0f + (x*x*x*x*x*x)/720.0f"
ROOT = "1.0f + 0.5f*x - 0.125f*x*x + 0.0625f*x*x*x - 0.0390625f*x*x*x*x"

NEWTON_RANGES = ["0.2f", "0.4f", "0.6f", "0.8f", "1.0f", "1.2f", "1.4f", "2.0f"]
SINE_BOUNDS = ["0.99", "1.0f", "1.001f", "1.01f", "1.1f", "1.2f", "1.5f", "2.0f"]
ROOT_BOUNDS = ["1.39f", "1.398f", "1.39843f", "1.39844f", "1.3985f", "1.399f", "1.4f", "1.5f"]

HEAD = """#include <assert.h>
float __VERIFIER_nondet_float(void);
void __VERIFIER_assume(int);
"""


def newton(steps, bound):
    step = "  x = x - f(x)/fp(x);\n" * steps
    return f"""{HEAD}
float f(float x) {{ return {SINE}; }}
float fp(float x) {{ return {COSINE}; }}

int main(void) {{
  float IN = __VERIFIER_nondet_float();
  __VERIFIER_assume(IN > -{bound} && IN < {bound});
  float x = IN;
{step}  assert(x < 0.1);
  return 0;
}}
"""


def sine(bound):
    return f"""{HEAD}
int main(void) {{
  float IN = __VERIFIER_nondet_float();
  __VERIFIER_assume(IN > -1.57079632679f && IN < 1.57079632679f);
  float x = IN;
  float result = {SINE};
  assert(result <= {bound} && result >= -{bound});
  return 0;
}}
"""


def square(bound):
    return f"""{HEAD}
int main(void) {{
  float IN = __VERIFIER_nondet_float();
  __VERIFIER_assume(IN >= 0.0f && IN < 1.0f);
  float x = IN;
  float result = {ROOT};
  assert(result >= 0.0f && result < {bound});
  return 0;
}}
"""


def programs():
    """Name and text of each program."""
    for steps in (1, 2, 3):
        for number, bound in enumerate(NEWTON_RANGES, 1):
            yield f"newton_{steps}_{number}", newton(steps, bound)
    for number, bound in enumerate(SINE_BOUNDS, 1):
        yield f"sine_{number}", sine(bound)
    for number, bound in enumerate(ROOT_BOUNDS, 1):
        yield f"square_{number}", square(bound)
