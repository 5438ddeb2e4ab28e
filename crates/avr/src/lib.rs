//! Machine code of AVR microcontrollers as a Kripke structure.
//!
//! Idea: the firmware image is the program; nothing is trusted that the chip does not run. The image's debug
//! information only gives names to addresses.

pub mod byte;
pub mod core;
pub mod debug;
pub mod device;
pub mod disassemble;
pub mod elf;
pub mod hex;
pub mod image;
pub mod instruction;
pub mod semantics;
