//! Prints the random program of a seed.
fn main() {
    let seed = std::env::args()
        .nth(1)
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0);
    let program = kripke_elts::random::random_program(seed, &kripke_elts::random::RandomOptions::default());
    print!("{}", kripke_elts::text::print(&program));
}
