//! The concrete core against simavr: random instructions with random operands and flags, alone and in
//! sequences.
//!
//! `KRIPKE_AVR_COUNT` sets how many instructions at least, `KRIPKE_AVR_SEED` where the random numbers start.
//! simavr runs as a separate process (`simavr/harness.c`). Our core goes first: where an instruction would
//! touch a peripheral or memory that is not there, the sequence ends before it. SLEEP, BREAK, WDR and SPM are
//! left out; they mean more than registers and memory.

mod random;

use std::collections::HashSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use kripke_avr::core::{Core, address};
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::instruction::{Instruction, Operation, decode};

use random::{GENERAL, RAM, RAM_END, Random, is_comparable, random_code};

const CODE: u32 = 0x200;
const WORDS: usize = 32;
const REQUEST: usize = 4 + 32 + 3 + 1 + 2 + 2 + 2 * WORDS;
const ANSWER: usize = 32 + 3 + 1 + 2 + 4 + 4;

fn request(random: &mut Random, instructions: usize) -> Vec<u8> {
    let mut bytes = random.next().to_le_bytes().to_vec();
    let mut registers: Vec<u8> = (0..32).map(|_| random.byte()).collect();
    for low in [26, 28, 30] {
        if !random.next().is_multiple_of(4) {
            registers[low..low + 2].copy_from_slice(&random.ram().to_le_bytes());
        }
    }
    bytes.extend(registers);
    bytes.extend([random.byte(), random.byte(), random.byte(), random.next() as u8]);
    bytes.extend(random.ram().to_le_bytes());
    bytes.extend((instructions as u16).to_le_bytes());
    let mut code: Vec<u16> = Vec::new();
    while code.len() < 2 * instructions {
        let [first, second] = random_code(random);
        code.push(first);
        if decode(first, 0).words == 2 {
            code.push(second);
        }
    }
    code.resize(WORDS, 0);
    bytes.extend(code.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Runs our core; writes the number of comparable steps into the request and gives the answer.
fn ours(core: &mut Core, request: &mut [u8], seen: &mut HashSet<Operation>) -> (u16, Vec<u8>) {
    let mut fill = u32::from_le_bytes([request[0], request[1], request[2], request[3]]);
    for address in RAM..RAM_END {
        fill = fill.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        core.set_data(address, (fill >> 24) as u8);
    }
    for (number, value) in request[4..36].iter().enumerate() {
        core.set_data(number as u16, *value);
    }
    for (address, value) in GENERAL
        .iter()
        .chain([&address::SREG, &address::SPL, &address::SPH])
        .zip(&request[36..42])
    {
        core.set_data(*address, *value);
    }
    core.write_flash(CODE, &request[44..]);
    core.pc = CODE / 2;
    let wanted = u16::from_le_bytes([request[42], request[43]]);
    let mut steps = 0;
    while steps < wanted && is_comparable(core) {
        let Instruction { operation, .. } = core.instruction();
        core.step();
        seen.insert(operation);
        steps += 1;
    }
    request[42..44].copy_from_slice(&steps.to_le_bytes());
    let mut answer: Vec<u8> = (0..32).map(|number| core.data(number)).collect();
    answer.extend(GENERAL.map(|address| core.data(address)));
    answer.extend([
        core.data(address::SREG),
        core.data(address::SPL),
        core.data(address::SPH),
    ]);
    answer.extend((core.pc * 2).to_le_bytes());
    let mut hash = 2_166_136_261_u32;
    for address in RAM..RAM_END {
        hash = (hash ^ u32::from(core.data(address))).wrapping_mul(16_777_619);
    }
    answer.extend(hash.to_le_bytes());
    (steps, answer)
}

fn build_harness(directory: &Path) -> std::path::PathBuf {
    let program = directory.join("harness");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simavr/harness.c");
    let output = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(&source)
        .args(["-lsimavr", "-lm"])
        .output()
        .expect("a C compiler is installed (scripts/install-packages test)");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    program
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn instructions_do_what_they_do_in_simavr() {
    let directory = tempfile::tempdir().unwrap();
    let mut process = Command::new(build_harness(directory.path()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
    let wanted = number("KRIPKE_AVR_COUNT", 200_000);
    let mut random = Random(number("KRIPKE_AVR_SEED", 1));
    let mut core = Core::new(&Image::default(), &Device::built_in("atmega328p").unwrap());
    core.write_flash(0, &vec![0; 0x8000]);
    let (mut done, mut seen) = (0, HashSet::new());
    while done < wanted {
        let mut cases = Vec::new();
        for case in 0..64 {
            let mut request = request(&mut random, if case % 2 == 0 { 1 } else { 15 });
            let (steps, answer) = ours(&mut core, &mut request, &mut seen);
            done += u64::from(steps);
            cases.push((request, answer));
        }
        for (request, _) in &cases {
            assert_eq!(request.len(), REQUEST);
            input.write_all(request).unwrap();
        }
        input.flush().unwrap();
        for (request, answer) in &cases {
            let mut theirs = [0; ANSWER];
            output.read_exact(&mut theirs).unwrap();
            assert!(answer[..] == theirs, "{}", difference(request, answer, &theirs));
        }
    }
    drop(input);
    process.wait().unwrap();
    println!("{done} instructions of {} kinds", seen.len());
    assert!(seen.len() == 64, "only {} kinds: {seen:?}", seen.len());
}

fn difference(request: &[u8], ours: &[u8], theirs: &[u8]) -> String {
    let steps = u16::from_le_bytes([request[42], request[43]]);
    let words: Vec<u16> = request[44..]
        .chunks(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let code: Vec<String> = (0..words.len() - 1)
        .map(|at| kripke_avr::disassemble::text(&decode(words[at], words[at + 1])))
        .collect();
    format!(
        "{steps} steps of {code:?}\nbefore {:?}\nours   {ours:?}\ntheirs {theirs:?}",
        &request[4..44]
    )
}
