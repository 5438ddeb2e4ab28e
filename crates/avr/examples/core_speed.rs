//! Runs a firmware image on the concrete core and prints how many instructions it does per second: for
//! `make bench SUITE=avr`.

use std::time::Instant;

use kripke_avr::core::Core;
use kripke_avr::device::Device;
use kripke_avr::elf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, device, instructions] = &arguments[..] else {
        return Err("usage: core_speed FILE.elf DEVICE INSTRUCTIONS".into());
    };
    let image = elf::read(&std::fs::read(path)?)?;
    let mut core = Core::new(&image, &Device::built_in(device)?);
    let wanted: u64 = instructions.parse()?;
    let started = Instant::now();
    let done = core.run(wanted);
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{{\"instructions\": {done}, \"seconds\": {seconds}, \"pc\": {}}}",
        core.pc * 2
    );
    Ok(())
}
