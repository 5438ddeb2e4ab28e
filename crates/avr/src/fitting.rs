//! Which devices an image may be for, where its file does not name one.
//!
//! Idea: the file says something of the chip even where the note with its name is gone: the architecture in
//! the header, where static data begin and end, where the stack begins (`__stack`), how large the program is,
//! and the vectors, which begin the program, one jump for each.
//!
//! Invariant: nothing is decided by this. It only shortens the list of devices that the user is told.

use crate::device::Device;
use crate::image::Image;
use crate::instruction::{Instruction, Operation, decode_all};

/// The names of built-in devices with files of their own that an image may be for.
#[must_use]
pub fn fitting(image: &Image) -> Vec<&'static str> {
    let program = decode_all(image.flash.bytes());
    Device::built_in_files()
        .filter(|name| Device::built_in(name).is_ok_and(|device| fits(image, &program, &device)))
        .collect()
}

fn fits(image: &Image, program: &[Instruction], device: &Device) -> bool {
    let same = |known: Option<u32>, expected: u32| known.is_none_or(|known| known == expected);
    let architecture = image.architecture.map(u32::from);
    image.fits(device).is_ok()
        && device
            .architecture
            .is_none_or(|own| same(architecture, u32::from(own)))
        && same(image.stack, device.sram.end().saturating_sub(1))
        && image.static_start.is_none_or(|start| start >= device.sram.start)
        && image
            .static_end
            .is_none_or(|end| end <= device.sram.end() || end > 0xFFFF)
        && has_vectors(program, device)
}

/// Whether there is a jump for every vector, and behind the last one none that could be another's: a jump to
/// where the last one leads, too.
fn has_vectors(program: &[Instruction], device: &Device) -> bool {
    let jump = match device.vector_bytes {
        2 => Operation::Rjmp,
        _ => Operation::Jmp,
    };
    let target = |number: u32| {
        let at = number * u32::from(device.vector_bytes) / 2;
        let instruction = program.get(at as usize).filter(|found| found.operation == jump)?;
        Some(match jump {
            Operation::Rjmp => instruction.target(at, device.flash.size / 2),
            _ => instruction.k as u32,
        })
    };
    let last = device.vectors.last().map_or(0, |vector| u32::from(vector.number));
    let goes_on = target(last).is_some() && target(last + 1) == target(last);
    (0..=last).all(|number| target(number).is_some()) && !goes_on
}
