//! Torn accesses: data that two levels of interrupts share, accessed in several instructions while an
//! interrupt can come in between.
//!
//! Idea: the instructions of one source line that access an object (a scalar of the debug information: a
//! variable, an element, a member) are one access as the programmer sees it. It is torn if a handler's
//! accesses in between make it neither one before the handler nor one after it. Let the line access byte `a`
//! of the object, then byte `b`:
//!
//! - what the handler does in between conflicts with the first if it accesses `a` and one of the two
//!   writes; likewise with the second and `b`;
//! - the access is torn if it conflicts with both, and `a` and `b` are different bytes (half of the object
//!   is old, half new), or the same byte, first read and then written (what the handler wrote is lost).
//!
//! Of a line that reads and then writes, the value that is written has to depend on the one that was read
//! ([`dependence`]). A value that nothing uses ([`discarded`]) does not count, nor do values that are read
//! until two agree ([`agreement`]).
//!
//! So `count++` on one byte is torn by a handler that counts too, and the read of a 16-bit number by a
//! handler that writes both its bytes; two reads of one byte, or a write after a write of one byte, are not.
//!
//! How it is found: every exploration can note which instruction accesses which byte ([`Accesses`]). What the
//! objects' accesses make possible ([`Watch`]) is then looked for by a monitor in the state ([`monitor`]),
//! which chooses the first access of a pair and follows it to the end of the line.
//!
//! Invariant: an access that is torn has a first instruction that [`Watch`] lists: handlers are
//! over-approximated there.
//!
//! Source: conflict serialisability of two transactions, of which one runs within the other.

mod accesses;
mod agreement;
mod dependence;
mod discarded;
mod lines;
mod monitor;
mod objects;
pub(crate) mod registers;
mod watch;

pub use accesses::{Access, Accesses, Manner};
pub use lines::Lines;
pub use monitor::TornAccess;
pub(crate) use monitor::{SIZE, Tearing};
pub use objects::{Object, Objects};
pub use watch::Watch;

use crate::debug::DebugInfo;
use crate::device::Device;
use crate::image::Image;

/// What can be shared, and which instructions belong together.
#[derive(Debug)]
pub struct Sharing {
    /// Objects of the data address space.
    pub objects: Objects,
    /// Lines of source.
    pub lines: Lines,
}

impl Sharing {
    /// Objects and lines of a firmware; none if the debug information tells no lines.
    #[must_use]
    pub fn new(debug: &DebugInfo, image: &Image, device: &Device) -> Option<Self> {
        let lines = Lines::new(debug, image);
        (!lines.is_empty()).then(|| Self {
            objects: Objects::new(debug, image, device),
            lines,
        })
    }
}

/// Bits of an object's bytes that handlers have accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Touched {
    pub(crate) read: u8,
    pub(crate) written: u8,
}

impl Touched {
    /// Whether an access to a byte conflicts with these.
    fn conflicts(self, byte: u8, writes: bool) -> bool {
        let bytes = if writes {
            self.read | self.written
        } else {
            self.written
        };
        bytes >> byte & 1 != 0
    }

    /// Whether two accesses by one line, each a byte of the object and whether it writes, are torn by these
    /// in between.
    pub(crate) fn tears(self, first: (u8, bool), second: (u8, bool)) -> bool {
        let pair = first.0 != second.0 || (!first.1 && second.1);
        pair && self.conflicts(first.0, first.1) && self.conflicts(second.0, second.1)
    }
}

#[cfg(test)]
mod tests {
    use super::Touched;

    /// An access to a byte: by the line (0) or the handler (1), the byte, and whether it writes.
    type Step = (u8, u8, bool);

    /// What everyone reads and what is left in the end. A value that is written depends on all that its
    /// writer has read.
    fn outcome(steps: &[Step]) -> (Vec<String>, [String; 2]) {
        let mut memory = ["a".to_owned(), "b".to_owned()];
        let mut read = vec![String::new(); 2];
        for (who, byte, writes) in steps {
            let (who, byte) = (usize::from(*who), usize::from(*byte));
            if *writes {
                memory[byte] = format!("{who}({})", read[who]);
            } else {
                let seen = format!("{byte}={};", memory[byte]);
                read[who] += &seen;
            }
        }
        (read, memory)
    }

    /// An access is torn if and only if the outcome is that of no order of line and handler, for all handlers
    /// of up to three accesses.
    #[test]
    fn torn_is_what_no_order_explains() {
        let kinds: Vec<(u8, bool)> = vec![(0, false), (0, true), (1, false), (1, true)];
        let mut handlers: Vec<Vec<(u8, bool)>> = vec![Vec::new()];
        for length in 0..3 {
            let longer: Vec<Vec<(u8, bool)>> = handlers
                .iter()
                .filter(|handler| handler.len() == length)
                .flat_map(|handler| kinds.iter().map(|kind| [&handler[..], &[*kind]].concat()))
                .collect();
            handlers.extend(longer);
        }
        let pairs = [(0, false), (0, true)]
            .into_iter()
            .flat_map(|first| [(1, false), (1, true)].map(|second| (first, second)))
            .chain([((0, false), (0, true))]);
        let mut torn = 0;
        for (first, second) in pairs {
            let line = [(0, first.0, first.1), (0, second.0, second.1)];
            for handler in &handlers {
                let steps: Vec<Step> = handler.iter().map(|(byte, writes)| (1, *byte, *writes)).collect();
                let mut touched = Touched::default();
                for (byte, writes) in handler {
                    let bytes = if *writes {
                        &mut touched.written
                    } else {
                        &mut touched.read
                    };
                    *bytes |= 1 << byte;
                }
                let between = outcome(&[&line[..1], &steps, &line[1..]].concat());
                let fits = [[&steps[..], &line].concat(), [&line[..], &steps].concat()]
                    .iter()
                    .any(|order| outcome(order) == between);
                assert_eq!(
                    touched.tears(first, second),
                    !fits,
                    "{first:?} {handler:?} {second:?}"
                );
                torn += usize::from(!fits);
            }
        }
        assert!(torn > 50, "{torn}");
    }
}
