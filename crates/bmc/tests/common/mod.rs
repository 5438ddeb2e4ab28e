//! What tests of verdicts have in common.

use kripke_elts::Program;
use kripke_model::{Report, Verdict};

/// Compares the verdicts with what is known of each property, whether some run violates it; tells how many
/// are violated and how many are unknown.
pub fn compare(seed: u64, program: &Program, report: &Report, violated: &[bool]) -> (u64, u64) {
    let (mut violations, mut unknown) = (0, 0);
    for (result, violated) in report.results.iter().zip(violated) {
        let right = match &result.verdict {
            Verdict::Violated { .. } => *violated,
            Verdict::Holds { .. } => !violated,
            _ => {
                unknown += 1;
                continue;
            }
        };
        assert!(
            right,
            "seed {seed}, {}: {:?}\n{}",
            result.property.id,
            result.verdict,
            kripke_elts::text::print(program)
        );
        violations += u64::from(*violated);
    }
    (violations, unknown)
}
