// kripke: check --replace-calls half
// verdict: error
// exit: 3
// prints: --replace-calls: `half` has no contract that could replace its calls

static int half(int number)
{
    return number / 2;
}

int main(void)
{
    return half(3);
}
