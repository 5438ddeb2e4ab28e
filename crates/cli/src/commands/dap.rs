//! `kripke dap`: the debug adapter on standard input and output, or on a port.
//!
//! Idea: the adapter (`crates/dap`) does no input and output of its own; here are its files, its checks,
//! which are processes of this same program, and the machine code of firmware.
//!
//! Invariant: only the loopback address listens, and a check ends with its session.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;

use kripke_avr::disassemble;
use kripke_avr::image::Space;
use kripke_avr::instruction::decode_all;
use kripke_check::Failure;
use kripke_dap::{Assembly, Check, Host, Incoming, Running, serve};

use crate::arguments::DeviceArguments;
use crate::child::{self, Child};
use crate::first_use_arguments::DapArguments;
use crate::{firmware, output};

/// Talks to an editor, or to one after the other.
pub fn dap(arguments: &DapArguments) -> Result<u8, Failure> {
    let Some(port) = arguments.port else {
        serve(io::stdin(), io::stdout(), &Machine).map_err(ended)?;
        return Ok(0);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        Failure::input(format!(
            "cannot listen on port {port}: {error}; --port 0 takes a free one"
        ))
    })?;
    let address = listener.local_addr().map_err(ended)?;
    output::print(&format!("listening on {address}\n"))?;
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let Ok(input) = stream.try_clone() else { continue };
        // A client that goes away without a word ends its session only.
        thread::spawn(move || serve(input, stream, &Machine));
    }
    Ok(0)
}

fn ended(error: io::Error) -> Failure {
    Failure::input(format!("the editor is gone: {error}"))
}

/// This machine.
struct Machine;

impl Host for Machine {
    fn read(&self, path: &Path) -> Result<String, String> {
        child::read(path)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        match path.as_os_str().is_empty() {
            true => std::env::current_dir().unwrap_or_default(),
            false => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        }
    }

    fn check(&self, check: &Check, tell: Sender<Incoming>) -> Result<Box<dyn Running>, String> {
        let progress = tell.clone();
        let started = Child::start(
            |report| check.arguments(report),
            check.directory.as_deref(),
            move |line| progress.send(Incoming::Progress(line)).is_ok(),
            move |outcome| {
                // Nobody listens any more where the session is over.
                let _ = tell.send(Incoming::Checked(outcome));
            },
        );
        Ok(Box::new(Process(started?)))
    }

    fn assembly(&self, program: &Path) -> Option<Vec<Assembly>> {
        let firmware = firmware::load(program, &DeviceArguments::default()).ok()?;
        let bytes = firmware.image.flash.bytes();
        let program = decode_all(bytes);
        let (mut listing, mut word) = (Vec::new(), 0_u32);
        while let Some(instruction) = program.get(word as usize) {
            let address = word * 2;
            let words = u32::from(instruction.words);
            if firmware.image.flash.is_used(address) {
                let end = bytes.len().min((address + 2 * words) as usize);
                let place = firmware.place(word);
                let mut symbols = firmware.image.symbols.iter();
                let symbol = symbols.find(|symbol| symbol.space == Space::Flash && symbol.address == address);
                listing.push(Assembly {
                    address,
                    bytes: bytes.get(address as usize..end).unwrap_or_default().to_vec(),
                    text: disassemble::text(instruction).replace('\t', " "),
                    symbol: symbol.map(|symbol| symbol.readable().to_string()),
                    place: (place.line > 0).then_some((place.file, place.line)),
                });
            }
            word += words.max(1);
        }
        Some(listing)
    }
}

/// A check that goes on.
struct Process(Child);

impl Running for Process {
    fn stop(&mut self) {
        self.0.stop();
    }
}
