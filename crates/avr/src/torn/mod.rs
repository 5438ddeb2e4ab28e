//! Torn accesses: data that two levels of interrupts share, accessed in several instructions while an interrupt can come in
//! between.
//!
//! Idea: the instructions of one source line that access an object (a scalar of the debug information: a variable, an element,
//! a member) are one access as the programmer sees it. It is torn if a handler's accesses in between make it neither one
//! before the handler nor one after it. Let the line access byte `a` of the object, then byte `b`:
//!
//! - what the handler does in between conflicts with the first if it accesses `a` and one of the two writes; likewise with the
//!   second and `b`;
//! - the access is torn if it conflicts with both, and `a` and `b` are different bytes (half of the object is old, half new),
//!   or the same byte, first read and then written (what the handler wrote is lost).
//!
//! So `count++` on one byte is torn by a handler that counts too, and the read of a 16-bit number by a handler that writes both
//! its bytes; two reads of one byte, or a write after a write of one byte, are not.
//!
//! How it is found: every exploration can note which instruction accesses which byte ([`Accesses`]). What the objects' accesses
//! make possible ([`Watch`]) is then looked for by a monitor in the state ([`monitor`]), which chooses the first access of a pair
//! and follows it to the end of the line.
//!
//! Invariant: an access that is torn has a first instruction that [`Watch`] lists: handlers are over-approximated there.
//!
//! Source: conflict serialisability of two transactions, of which one runs within the other.

mod accesses;
mod lines;
mod monitor;
mod objects;
mod watch;

pub use accesses::{Access, Accesses, Manner};
pub use lines::Lines;
pub(crate) use monitor::SIZE;
pub use monitor::TornAccess;
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

    /// Whether two accesses by one line, each a byte of the object and whether it writes, are torn by these in between.
    pub(crate) fn tears(self, first: (u8, bool), second: (u8, bool)) -> bool {
        let pair = first.0 != second.0 || (!first.1 && second.1);
        pair && self.conflicts(first.0, first.1) && self.conflicts(second.0, second.1)
    }
}
