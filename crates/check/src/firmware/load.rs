//! A firmware image with its device and debug information.

use std::path::{Path, PathBuf};

use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::peripherals::Rules;
use kripke_avr::{elf, hex};

use crate::arguments::DeviceArguments;
use crate::checks::hint;
use crate::failure::Failure;

/// A firmware.
pub struct Firmware {
    pub path: PathBuf,
    pub image: Image,
    pub device: Device,
    /// What the device's peripherals do.
    pub rules: Rules,
    pub debug: DebugInfo,
    /// Where source files are looked for that are not at the path the compiler noted.
    pub source_path: Vec<PathBuf>,
}

/// Whether the files given are one firmware image: an ELF or Intel HEX file.
pub fn is_firmware(files: &[PathBuf]) -> bool {
    let [only] = files else { return false };
    if only
        .extension()
        .is_some_and(|extension| extension == "hex" || extension == "elf")
    {
        return true;
    }
    let mut start = [0; 4];
    std::fs::File::open(only).is_ok_and(|mut file| {
        use std::io::Read as _;
        file.read_exact(&mut start).is_ok() && start == *b"\x7fELF"
    })
}

/// Reads a firmware image.
pub fn load(path: &Path, arguments: &DeviceArguments) -> Result<Firmware, Failure> {
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
    let device = device(&image, arguments, path)?;
    refuse_large(&device).map_err(|error| bad(&error))?;
    image.fits(&device).map_err(|error| bad(&error))?;
    if image.flash.bytes().is_empty() {
        return Err(bad(&"the image has no code"));
    }
    if image.entry != 0 {
        crate::output::note(&format!(
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
        source_path: arguments.source_path.clone(),
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

fn device(image: &Image, arguments: &DeviceArguments, path: &Path) -> Result<Device, Failure> {
    if let Some(file) = &arguments.device {
        return Device::from_file(file).map_err(|error| Failure::input(error.to_string()));
    }
    let Some(name) = arguments.mcu.as_ref().or(image.device.as_ref()) else {
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
