//! Where runs begin and where SPM works: what the fuses BOOTRST and BOOTSZ say, as far as the image tells.
//!
//! Idea: no image has the fuses in it, but a boot loader is linked to the beginning of a boot section and
//! names that as its entry. An entry that is neither 0 nor such a place is not guessed about.
//!
//! Source: "Boot Loader Support" in the datasheets, on BOOTRST, BOOTSZ and the places that SPM can be
//! executed from.

use crate::device::Device;
use crate::image::Image;
use crate::instruction::{Operation, decode_all};

/// Settles where runs of an image begin: where the user says, at the entry that the file names, or at 0. What
/// that rests on is returned, for the user.
///
/// # Errors
/// If that place is none where a chip of this kind can begin.
pub fn settle(image: &mut Image, device: &Device, reset: Option<u32>) -> Result<Vec<String>, String> {
    let sections = device.boot_sections();
    let begins = |address: u32| address == 0 || sections.contains(&address);
    let address = reset.unwrap_or(image.entry);
    if !begins(address) {
        let places: Vec<String> = sections.iter().map(|start| format!("{start:#x}")).collect();
        let places = format!("0 or a boot section of {} ({})", device.name, places.join(", "));
        return Err(match reset {
            Some(_) => format!("--reset-address {address:#x} is not where runs can begin: {places}"),
            None => format!(
                "the file's entry is {address:#x}, which is not where runs can begin: {places}; \
                 --reset-address says where"
            ),
        });
    }
    (image.reset, image.boot) = match address {
        0 => (0, device.largest_boot_section()),
        _ => (address, address),
    };
    let mut assumptions = Vec::new();
    if address != 0 {
        assumptions.push(format!(
            "runs begin at {address:#x}, where the boot section begins: the fuse BOOTRST is programmed \
             (--reset-address 0: it is not)"
        ));
    } else if image.boot != 0 && uses_spm(image) {
        assumptions.push(format!(
            "SPM works from {:#x} on only: the fuses BOOTSZ are as delivered, and runs begin at 0",
            image.boot
        ));
    }
    Ok(assumptions)
}

fn uses_spm(image: &Image) -> bool {
    let program = decode_all(image.flash.bytes());
    program
        .iter()
        .any(|instruction| instruction.operation == Operation::Spm)
}
