//! Machine code of AVR microcontrollers as a Kripke structure.
//!
//! Idea: the firmware image is the program; nothing is trusted that the chip does not run. The image's debug
//! information only gives names to addresses.

pub mod atom;
pub mod byte;
pub mod cfg;
mod chip;
pub mod concrete;
pub mod core;
pub mod dead;
pub mod debug;
pub mod definitions;
pub mod device;
pub mod disassemble;
mod discovery;
pub mod elf;
pub mod fault;
pub mod fitting;
pub mod flow;
pub mod footprint;
pub mod fuses;
pub mod hex;
pub mod image;
pub mod independence;
pub mod instruction;
mod interrupts;
pub mod live;
mod memory;
pub mod micro;
mod operations;
pub mod overrides;
pub mod peripherals;
mod prefix;
mod programming;
pub mod replay;
pub mod semantics;
pub mod stack;
mod state;
pub mod torn;
pub mod tracing;
pub mod walk;
