//! Proofs in slices of the program.
//!
//! Idea: what is open often rests on a part of the program only, with fewer loops, and some of these end
//! where only that part is followed. So properties whose slices are much alike are proved together in that
//! slice, the smallest first: by the bounds of its loops, and by their invariants.
//!
//! Invariant: what holds in a slice holds in the program ([`kripke_slicing`]); what is violated there says
//! nothing.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use kripke_elts::{Program, PropertyId};
use kripke_limits::stretched;
use kripke_model::Argument;
use kripke_slicing::{Kept, Slicer};

use super::Check;
use super::alone::Answer;
use crate::limits;
use crate::options::{InternalError, Options, Silent};

/// A slice that is larger than so many hundredths of the program is not worth it.
const WORTH_IT: usize = 70;
/// By how many hundredths the slice of a group may be larger than that of its first property.
const ALIKE: usize = 130;
/// How many properties are looked at, at most.
const MOST: usize = 100;
/// The part of the time that is left which slices may take.
const SHARES: u32 = 2;
/// What slices share at most in a long attempt.
const LONG_ALTOGETHER: Duration = Duration::from_secs(120);
/// What each slice has in a short attempt, and after which time no other begins.
const SHORT: Duration = Duration::from_millis(1500);
const SHORT_ALTOGETHER: Duration = Duration::from_secs(1);
/// The part of a slice's time in which its bounds are followed.
const SHARES_OF_BOUNDS: u32 = 2;

/// How long slices are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// Each for a while, before invariants of the whole program are looked for.
    Short,
    /// Each for its share of the time that is left.
    Long,
}

/// Some properties, and what matters to them.
struct Group {
    properties: Vec<PropertyId>,
    /// How many statements the slice of the first has.
    first: usize,
    kept: Kept,
}

/// May proofs be looked for in slices? What is not asked for is not checked, so accesses may be wrong.
pub(super) fn may_slice(options: &Options) -> bool {
    options.slicing && options.properties.is_none() && !options.obligations
}

impl<'a> Check<'a> {
    /// What makes slices of the program, where proofs are looked for in these.
    pub(super) fn slicer(&self) -> Option<Slicer<'a>> {
        self.options.slicing.then(|| Slicer::new(self.program))?
    }

    /// Proves what it can of the open properties in slices, and tells each time what was proved; true when
    /// nothing is open any more.
    pub(super) fn prove_in_slices(
        &mut self,
        slicer: Option<&Slicer<'_>>,
        attempt: Attempt,
    ) -> Result<bool, InternalError> {
        let Some(slicer) = slicer else {
            return Ok(false);
        };
        let began = Instant::now();
        let groups = groups(slicer, &self.open_properties());
        let count = groups.len() as u32;
        for (number, group) in groups.into_iter().enumerate() {
            let time = match attempt {
                Attempt::Short if began.elapsed() > stretched(SHORT_ALTOGETHER) => break,
                Attempt::Short => self.until_deadline(stretched(SHORT)),
                Attempt::Long => {
                    self.until_deadline(stretched(LONG_ALTOGETHER)) / ((count - number as u32) * SHARES)
                }
            };
            self.prove_group(&slicer.program(&group.kept), group.properties, time)?;
        }
        Ok(self.open_properties().is_empty())
    }

    /// Proves what it can of a group in its slice, in so much time.
    fn prove_group(
        &mut self,
        sliced: &Program,
        properties: Vec<PropertyId>,
        time: Duration,
    ) -> Result<(), InternalError> {
        let began = Instant::now();
        for (only_invariants, until) in [(false, began + time / SHARES_OF_BOUNDS), (true, began + time)] {
            let open = properties.iter().filter(|id| self.verdicts[**id].is_none());
            let open: Vec<PropertyId> = open.copied().collect();
            if open.is_empty() || limits::check(self.options, true).is_err() {
                break;
            }
            let options = Options {
                properties: Some(open),
                all: true,
                deadline: Some(until),
                dump: false,
                slicing: false,
                ..self.options.clone()
            };
            let (tell, told) = channel();
            let mut silent = Silent;
            let mut check = Check::new(sliced, &options, &mut silent)?;
            check.tells = Some(tell);
            let report = match only_invariants {
                true => check.run_alone(),
                false => check.run(),
            };
            if let Err(error) = report {
                // It says nothing of the program.
                debug_assert!(false, "a slice cannot be checked: {error}");
                break;
            }
            for answer in told {
                self.take_over(in_slice(answer));
            }
            self.tell_proofs();
        }
        Ok(())
    }
}

/// Says of what was proved that it was in a slice.
fn in_slice(answer: Answer) -> Answer {
    let Answer::Proofs(mut proofs) = answer else {
        return answer;
    };
    for (_, argument) in &mut proofs.proved {
        *argument = Argument::Slice {
            argument: Box::new(argument.clone()),
        };
    }
    Answer::Proofs(proofs)
}

/// Properties whose slices are much alike, those of small slices first.
fn groups(slicer: &Slicer<'_>, open: &[PropertyId]) -> Vec<Group> {
    let mut slices: Vec<(PropertyId, Kept)> = open
        .iter()
        .take(MOST)
        .filter_map(|id| Some((*id, slicer.slice(&[*id])?)))
        .filter(|(_, kept)| kept.count() * 100 <= slicer.statements() * WORTH_IT)
        .collect();
    slices.sort_by_key(|(_, kept)| kept.count());
    let mut groups: Vec<Group> = Vec::new();
    for (id, kept) in slices {
        let joined = groups.last_mut().and_then(|group| {
            let all = [&group.properties[..], &[id]].concat();
            let union = slicer.slice(&all)?;
            (union.count() * 100 <= group.first * ALIKE).then_some((group, union))
        });
        match joined {
            Some((group, union)) => {
                group.properties.push(id);
                group.kept = union;
            }
            None => groups.push(Group {
                properties: vec![id],
                first: kept.count(),
                kept,
            }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use kripke_elts::{Id as _, PropertyId};

    use super::{Attempt, Check};
    use crate::options::{Options, Silent};

    /// One number of two is asked about, beside a number that may be anything.
    const TWO: &str = "elts 1
machine pointer 32 int 32 long 32 little \"test\"
entry main
file0 \"test.c\"
p0 assertion \"violated\" in main @1:1
p1 assertion \"holds\" in main @2:1
function main() -> () entry l0 exit l1 @1:1 {
local i8 x;
local i8 y;
local i8 z;
l0 \"\": when true { x = nondet input \"x\"; y = nondet input \"y\"; z = x; z = z + x; z = z * z; } goto l2;
l1 \"\":
l2 \"\": when true { assert(z == 0i8) p0; y = y & 1i8; assert(y <u 2i8) p1; } goto l1;
}
";

    #[test]
    fn what_is_proved_in_a_slice_is_what_was_asked_there() {
        let program = kripke_elts::text::parse(TWO).expect("parses");
        let (options, mut silent) = (Options::default(), Silent);
        let mut check = Check::new(&program, &options, &mut silent).expect("a check");
        let slicer = check.slicer();
        assert!(slicer.is_some());
        let is_over = check.prove_in_slices(slicer.as_ref(), Attempt::Short);
        assert!(matches!(is_over, Ok(false)));
        assert!(check.verdicts[PropertyId::new(0)].is_none());
        assert!(check.verdicts[PropertyId::new(1)].is_some());
    }
}
