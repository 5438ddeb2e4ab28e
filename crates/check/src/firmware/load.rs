//! A firmware image with its device and debug information.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kripke_avr::cfg::Cfg;
use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::peripherals::Rules;
use kripke_avr::{elf, fitting, fuses, hex};

use crate::checks::hint;
use crate::events::Events;
use crate::failure::Failure;
use crate::job::{DeviceChoice, VectorPlace};

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
    /// What the place where runs begin rests on.
    pub assumptions: Vec<String>,
    /// Where source files are looked for that are not at the path the compiler noted.
    pub source_path: Vec<PathBuf>,
    cfg: OnceLock<Cfg>,
}

impl Firmware {
    /// Its control flow graph.
    pub fn cfg(&self) -> &Cfg {
        self.cfg.get_or_init(|| Cfg::new(&self.image, &self.device))
    }

    /// Refuses an image that begins in the boot section, where an analysis begins at 0.
    ///
    /// # Errors
    /// If it does.
    pub fn refuse_boot_section(&self) -> Result<(), Failure> {
        match self.image.reset {
            0 => Ok(()),
            reset => Err(Failure::input(format!(
                "{}: runs begin at {reset:#x}, in the boot section; this analysis is for images that begin \
                 at \
                 0",
                self.path.display()
            ))),
        }
    }
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
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
    read(path, &bytes, choice, events)
}

/// Reads a firmware image from the contents of a file; the path says what they are, and names them.
pub fn read(
    path: &Path,
    bytes: &[u8],
    choice: &DeviceChoice,
    events: &mut dyn Events,
) -> Result<Firmware, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let is_elf = bytes.starts_with(b"\x7fELF");
    let is_hex = !is_elf && path.extension().is_some_and(|extension| extension == "hex");
    let image = if is_hex {
        hex::read(bytes).map_err(|error| bad(&error))?
    } else {
        elf::read(bytes).map_err(|error| bad(&error))?
    };
    let debug = if is_elf {
        DebugInfo::read(bytes).map_err(|error| bad(&error))?
    } else {
        DebugInfo::default()
    };
    let device = device(&image, choice, path)?;
    let mut firmware = on_device(path, image, device, choice)?;
    if firmware.image.reset != 0 {
        let assumptions = firmware.assumptions.join("; ");
        events.warning(&format!("{}: warning: {assumptions}", path.display()));
    }
    firmware.debug = debug;
    Ok(firmware)
}

/// Puts an image on a device.
pub fn on_device(
    path: &Path,
    mut image: Image,
    mut device: Device,
    choice: &DeviceChoice,
) -> Result<Firmware, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    refuse_large(&device).map_err(|error| bad(&error))?;
    image.fits(&device).map_err(|error| bad(&error))?;
    if image.flash.bytes().is_empty() {
        return Err(bad(&"the image has no code"));
    }
    image.static_end = choice.data_end.or(image.static_end);
    let assumptions = fuses::settle(&mut image, &device, choice.reset_address);
    let assumptions = assumptions.map_err(|error| bad(&error))?;
    let mut assumptions = assumptions;
    if choice.vectors == VectorPlace::Boot {
        let moved = move_vectors(&image, &mut device).map_err(|error| bad(&error))?;
        assumptions.push(moved);
    }
    Ok(Firmware {
        path: path.to_path_buf(),
        image,
        rules: Rules::new(&device),
        device,
        debug: DebugInfo::default(),
        assumptions,
        source_path: choice.source_path.clone(),
        cfg: OnceLock::new(),
    })
}

/// Puts the interrupt vectors into the boot section; what that rests on is returned.
fn move_vectors(image: &Image, device: &mut Device) -> Result<String, String> {
    if image.boot == 0 || Rules::new(device).moved_vectors.is_none() {
        return Err(format!(
            "--vectors boot: {} cannot move its interrupt vectors",
            device.name
        ));
    }
    device.vectors_at = image.boot;
    Ok(format!(
        "the interrupt vectors are those at {:#x}, in the boot section (IVSEL is 1 when an interrupt comes)",
        image.boot
    ))
}

/// The counter has 17 bits at the most, and data addresses have 16.
fn refuse_large(device: &Device) -> Result<(), String> {
    let name = &device.name;
    if device.flash.size > 256 * 1024 {
        return Err(format!(
            "{name} has more than 256 KiB of flash; devices with a program counter of more than 17 bits are \
             not supported"
        ));
    }
    if device.sram.end() > 0x1_0000 {
        return Err(format!(
            "the static memory of {name} ends beyond the address 0xffff"
        ));
    }
    Ok(())
}

/// The device that the user names, or the file; what the file says is not silently overridden.
fn device(image: &Image, choice: &DeviceChoice, path: &Path) -> Result<Device, Failure> {
    let path = path.display();
    let device = match (&choice.file, choice.mcu.as_ref().or(image.device.as_ref())) {
        (Some(file), _) => Device::from_file(file).map_err(|error| Failure::input(error.to_string()))?,
        (None, Some(name)) => Device::built_in(name).map_err(|error| {
            let hint = hint(name, Device::built_in_names());
            Failure::input(format!(
                "{error}{hint} (others can be described in a file: --device)"
            ))
        })?,
        (None, None) => {
            let fitting = fitting::fitting(image);
            let which = match fitting.is_empty() {
                true => "none that is built in fits: kripke devices lists them".to_owned(),
                false => format!("these fit: {}", fitting.join(", ")),
            };
            return Err(Failure::input(format!(
                "{path}: the file does not tell its device; name it with --mcu ({which}) or give a device \
                 file with --device"
            )));
        }
    };
    match &image.device {
        Some(built_for) if !built_for.eq_ignore_ascii_case(&device.name) => Err(Failure::input(format!(
            "{path}: the file was built for {built_for}, not for {}; leave out --mcu, or build it with \
             -mmcu={}",
            device.name, device.name
        ))),
        _ => Ok(device),
    }
}
