//! Addresses for the objects of a replayed run whose addresses nothing decides.
//!
//! Idea: where the solver's model fixes the addresses of some objects, the others must lie elsewhere, or an
//! address that the model takes for nobody's would be theirs. They are put, in the order of their creation,
//! into the gaps that the fixed ones, the code and the named registers leave.
//!
//! Invariant: no address handed out shares a byte with any fixed range or another one handed out.

use std::collections::BTreeMap;

/// An object that needs an address.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Bytes.
    pub size: u64,
    /// A power of two.
    pub align: u64,
    /// The address the model has fixed.
    pub fixed: Option<u64>,
}

/// Ranges of addresses that are taken: their first byte, and the first after.
struct Taken(BTreeMap<u64, u64>);

impl Taken {
    /// With a byte more, so that nothing begins where it ends by accident.
    fn add(&mut self, from: u64, size: u64) {
        let end = from.saturating_add(size.max(1)).saturating_add(1);
        let known = self.0.entry(from).or_insert(end);
        *known = end.max(*known);
    }

    /// The end of a taken range that shares a byte with the one from an address.
    fn obstacle(&self, from: u64, size: u64) -> Option<u64> {
        let end = from.saturating_add(size.max(1));
        // Fixed ranges may overlap where lifetimes do not, so an earlier one may reach farther.
        let clash = self.0.range(..end).filter(|(_, taken)| **taken > from);
        clash.map(|(_, taken)| *taken).max()
    }
}

/// An address for each object, in order; none where the address space between `from` and `to` is used up.
/// `reserved` are ranges (first byte, size) to keep out of.
pub fn place(objects: &[Wanted], reserved: &[(u64, u64)], from: u64, to: u64) -> Vec<Option<u64>> {
    let mut taken = Taken(BTreeMap::new());
    for (address, size) in reserved {
        taken.add(*address, *size);
    }
    for object in objects {
        if let Some(address) = object.fixed {
            taken.add(address, object.size);
        }
    }
    let mut next = from;
    objects
        .iter()
        .map(|object| {
            object.fixed.or_else(|| {
                let address = free_place(&taken, next, object)?;
                let end = address.checked_add(object.size.max(1))?.checked_add(1)?;
                (end <= to).then(|| {
                    next = end;
                    address
                })
            })
        })
        .collect()
}

/// The first address from `next` on that is free and no better aligned than the object asks for, so that
/// stricter accesses are misaligned wherever they can be.
fn free_place(taken: &Taken, mut next: u64, object: &Wanted) -> Option<u64> {
    let align = object.align.max(1);
    loop {
        let address = next
            .checked_next_multiple_of(align.checked_mul(2)?)?
            .checked_add(align)?;
        match taken.obstacle(address, object.size) {
            Some(end) => next = end,
            None => return Some(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(size: u64, fixed: Option<u64>) -> Wanted {
        Wanted {
            size,
            align: 4,
            fixed,
        }
    }

    #[test]
    fn the_others_keep_out_of_fixed_ranges() {
        let objects = [
            wanted(8, None),
            wanted(16, Some(0x110)),
            wanted(4, Some(0x108)),
            wanted(8, None),
            wanted(0, None),
        ];
        let placed = place(&objects, &[(0x124, 8)], 0x100, 0x1000);
        assert_eq!(placed[1], Some(0x110));
        assert_eq!(placed[2], Some(0x108));
        for (index, object) in objects.iter().enumerate() {
            let address = placed[index].expect("there is room");
            assert_eq!(address % 4, 0);
            for (other, place) in objects.iter().zip(&placed).skip(index + 1) {
                let place = place.expect("there is room");
                assert!(address + object.size.max(1) <= place || place + other.size.max(1) <= address);
            }
            assert!(address + object.size.max(1) <= 0x124 || address >= 0x12c);
        }
    }

    #[test]
    fn no_room() {
        assert_eq!(place(&[wanted(64, None)], &[], 0x100, 0x120), [None]);
    }
}
