//! A firmware image with its device and debug information.

use std::path::{Path, PathBuf};

use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::peripherals::Rules;
use kripke_avr::{elf, hex};

use crate::checks::hint;
use crate::events::Events;
use crate::failure::Failure;
use crate::job::DeviceChoice;

/// A firmware.
pub struct Firmware {
    /// Where the image is.
    pub path: PathBuf,
    /// The contents of the memories.
    pub image: Image,
    /// The microcontroller.
    pub device: Device,
    /// What the device's peripherals do.
    pub rules: Rules,
    /// What the compiler noted about the source.
    pub debug: DebugInfo,
    /// Where source files are looked for that are not at the path the compiler noted.
    pub source_path: Vec<PathBuf>,
}

/// Whether a file is a firmware image: an ELF or Intel HEX file.
pub fn is_firmware(file: &Path) -> bool {
    if file
        .extension()
        .is_some_and(|extension| extension == "hex" || extension == "elf")
    {
        return true;
    }
    let mut start = [0; 4];
    std::fs::File::open(file).is_ok_and(|mut opened| {
        use std::io::Read as _;
        opened.read_exact(&mut start).is_ok() && start == *b"\x7fELF"
    })
}

/// Reads a firmware image.
pub fn load(path: &Path, choice: &DeviceChoice, events: &mut dyn Events) -> Result<Firmware, Failure> {
    let shown = path.display();
    let bad = |error: &dyn std::fmt::Display| Failure::input(format!("{shown}: {error}"));
    let bytes =
        std::fs::read(path).map_err(|error| Failure::input(format!("cannot read {shown}: {error}")))?;
    let is_elf = bytes.starts_with(b"\x7fELF");
    let is_hex = !is_elf && path.extension().is_some_and(|extension| extension == "hex");
    let image = if is_hex {
        hex::read(&bytes).map_err(|error| bad(&error))?
    } else {
        elf::read(&bytes).map_err(|error| bad(&error))?
    };
    let debug = if is_elf {
        DebugInfo::read(&bytes).map_err(|error| bad(&error))?
    } else {
        DebugInfo::default()
    };
    let device = device(&image, choice, path)?;
    refuse_large(&device).map_err(|error| bad(&error))?;
    image.fits(&device).map_err(|error| bad(&error))?;
    if image.flash.bytes().is_empty() {
        return Err(bad(&"the image has no code"));
    }
    if image.entry != 0 {
        events.warning(&format!(
            "{shown}: warning: the file's entry is {:#x}, and runs begin at 0x0 (the fuse BOOTRST is not modelled)",
            image.entry
        ));
    }
    Ok(Firmware {
        path: path.to_path_buf(),
        image,
        rules: Rules::new(&device),
        device,
        debug,
        source_path: choice.source_path.clone(),
    })
}

/// The counter has 16 bits, and so have data addresses.
fn refuse_large(device: &Device) -> Result<(), String> {
    let name = &device.name;
    if device.flash.size > 128 * 1024 {
        return Err(format!(
            "{name} has more than 128 KiB of flash; devices with a program counter of more than 16 bits are not supported"
        ));
    }
    if device.sram.end() > 0x1_0000 {
        return Err(format!(
            "the static memory of {name} ends beyond the address 0xffff"
        ));
    }
    Ok(())
}

fn device(image: &Image, choice: &DeviceChoice, path: &Path) -> Result<Device, Failure> {
    if let Some(file) = &choice.file {
        return Device::from_file(file).map_err(|error| Failure::input(error.to_string()));
    }
    let Some(name) = choice.mcu.as_ref().or(image.device.as_ref()) else {
        return Err(Failure::input(format!(
            "{}: the file does not tell its device; name it with --mcu (one of {}) or give a device file with --device",
            path.display(),
            Device::built_in_names().collect::<Vec<_>>().join(", ")
        )));
    };
    Device::built_in(name).map_err(|error| {
        let hint = hint(name, Device::built_in_names());
        Failure::input(format!(
            "{error}{hint} (others can be described in a file: --device)"
        ))
    })
}
