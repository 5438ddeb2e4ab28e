//! What can be torn: scalars in static memory, and I/O registers that only the program changes.
//!
//! Idea: an object is a scalar that the debug information describes. Scalars that share a byte (bit-fields,
//! members of a union) are one object. A byte of static data that no variable covers (of the library, of
//! assembly) is an object of its own.

use crate::core::address;
use crate::debug::{DebugInfo, Type, TypeId};
use crate::device::Device;
use crate::image::{Image, Space};

/// Bytes of an object, at the most; larger ones are taken byte by byte.
const LARGEST: u32 = 8;

/// Parts of variables that are looked at, at the most: corrupt debug information may describe more than
/// memory has.
const MOST_PARTS: usize = 1 << 18;

/// An object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Name, such as `table[1].count`.
    pub name: String,
    /// Data address.
    pub start: u16,
    /// Bytes, 1 to 8.
    pub size: u8,
}

/// The objects of a firmware.
#[derive(Debug)]
pub struct Objects {
    all: Vec<Object>,
    /// For each data address the object's index plus one; 0 where there is none.
    of: Vec<u32>,
}

struct Scalar {
    start: u32,
    size: u32,
    name: String,
}

impl Objects {
    /// Objects from the debug information and the device.
    pub(crate) fn new(debug: &DebugInfo, image: &Image, device: &Device) -> Self {
        let data = device.sram.start..end_of_data(image, device);
        let mut scalars = scalars(debug, &data);
        scalars.sort_by_key(|scalar| (scalar.start, u32::MAX - scalar.size));
        let mut objects = Self {
            all: Vec::new(),
            of: vec![0; data.end as usize],
        };
        let mut open: Option<Scalar> = None;
        for scalar in scalars {
            match &mut open {
                Some(last) if scalar.start < last.start + last.size => {
                    let end = (scalar.start + scalar.size).max(last.start + last.size);
                    last.size = (end - last.start).min(LARGEST);
                    if !last.name.split('/').any(|name| name == scalar.name) {
                        last.name = format!("{}/{}", last.name, scalar.name);
                    }
                }
                _ => {
                    if let Some(last) = open.replace(scalar) {
                        objects.add(last);
                    }
                }
            }
        }
        if let Some(last) = open {
            objects.add(last);
        }
        for start in data
            .filter(|start| objects.of[*start as usize] == 0)
            .collect::<Vec<_>>()
        {
            let name = symbol_name(image, start);
            objects.add(Scalar { start, size: 1, name });
        }
        objects.add_registers(device);
        objects
    }

    fn add(&mut self, scalar: Scalar) {
        let number = self.all.len() as u32 + 1;
        let cells = scalar.start as usize..(scalar.start + scalar.size) as usize;
        let Some(cells) = self.of.get_mut(cells) else {
            return;
        };
        cells.fill(number);
        self.all.push(Object {
            name: scalar.name,
            start: scalar.start as u16,
            size: scalar.size as u8,
        });
    }

    /// Registers that are like memory: hardware changes no bit of them, and a write means no more than its
    /// value.
    fn add_registers(&mut self, device: &Device) {
        let rules = crate::peripherals::Rules::new(device);
        let io = crate::chip::io_table(device, &rules);
        let of_core = [address::SREG, address::SPL, address::SPH];
        for register in &device.registers {
            let at = register.address;
            let plain = io.get(usize::from(at)).is_some_and(|io| {
                io.known
                    && io.pin.is_none()
                    && io.write_one_to_clear | io.strobe | io.cleared_by_hardware == 0
                    && io.volatile.is_empty()
                    && !io.has_side_effects
            });
            let free = self.of.get(usize::from(at)) == Some(&0);
            if plain && free && !of_core.contains(&at) && !rules.changes_by_itself(at) {
                self.add(Scalar {
                    start: u32::from(at),
                    size: 1,
                    name: register.name.clone(),
                });
            }
        }
    }

    /// The object that a byte belongs to.
    #[inline]
    #[must_use]
    pub fn at(&self, address: u16) -> Option<&Object> {
        let number = *self.of.get(usize::from(address))?;
        self.all.get((number as usize).wrapping_sub(1))
    }
}

/// The end of static variables; the stack lies behind it.
fn end_of_data(image: &Image, device: &Device) -> u32 {
    let end = image.static_end.unwrap_or(device.sram.end());
    end.clamp(device.sram.start, device.sram.end())
}

fn symbol_name(image: &Image, address: u32) -> String {
    let covers = |start: u32, size: u32| start <= address && address - start < size.max(1);
    let symbol = image
        .symbols
        .iter()
        .find(|symbol| symbol.space == Space::Data && covers(symbol.address, symbol.size));
    match symbol {
        Some(symbol) if symbol.address == address => symbol.name.clone(),
        Some(symbol) => format!("{}+{}", symbol.name, address - symbol.address),
        None => format!("{address:#06x}"),
    }
}

/// The scalars of all variables in static memory.
fn scalars(debug: &DebugInfo, data: &std::ops::Range<u32>) -> Vec<Scalar> {
    let mut found = Vec::new();
    let named = debug
        .variables
        .iter()
        .filter(|variable| data.contains(&variable.address));
    let mut open: Vec<(String, u32, TypeId)> = named
        .map(|variable| (variable.name.clone(), variable.address, variable.type_))
        .collect();
    let mut parts = open.len();
    while let Some((name, start, type_)) = open.pop() {
        let size = debug.size_of(type_);
        if size == 0 || start.saturating_add(size) > data.end || name.len() > MOST_LETTERS {
            continue;
        }
        match debug.types.get(type_.0) {
            Some(Type::Array { element, count }) => {
                let step = debug.size_of(*element);
                parts += *count as usize;
                if parts <= MOST_PARTS {
                    open.extend(
                        (0..*count).map(|index| (format!("{name}[{index}]"), start + index * step, *element)),
                    );
                }
            }
            Some(Type::Record { fields, .. }) => {
                parts += fields.len();
                for field in fields.iter().filter(|_| parts <= MOST_PARTS) {
                    let inner = match field.name.is_empty() {
                        true => name.clone(),
                        false => format!("{name}.{}", field.name),
                    };
                    let at = start.saturating_add(field.offset);
                    match field.bits {
                        None => open.push((inner, at, field.type_)),
                        Some((first, width)) => {
                            let size = (first.saturating_add(width)).div_ceil(8).clamp(1, LARGEST);
                            found.push(Scalar {
                                start: at,
                                size,
                                name: inner,
                            });
                        }
                    }
                }
            }
            _ if size <= LARGEST => found.push(Scalar { start, size, name }),
            _ => {}
        }
    }
    found.retain(|scalar| scalar.start.saturating_add(scalar.size) <= data.end);
    found
}

/// Letters of a part's name; types that contain themselves have longer ones.
const MOST_LETTERS: usize = 400;
