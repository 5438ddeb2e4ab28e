//! Reads textual LLVM IR files and says how fast: `cargo run --release --example parse_speed -- a.ll b.ll`.

use std::time::Instant;

use kripke_llvm::ir::InstructionKind;
use kripke_llvm::parser;

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let started = Instant::now();
        match parser::parse(&text, &path) {
            Ok(module) => {
                let seconds = started.elapsed().as_secs_f64();
                let instructions = module.functions.iter().flat_map(|function| &function.blocks);
                let instructions = instructions.flat_map(|block| &block.instructions);
                let mut total = 0;
                let mut unknown = 0;
                for instruction in instructions {
                    total += 1;
                    if let InstructionKind::Unknown { text, .. } = &instruction.kind {
                        unknown += 1;
                        println!("  unknown: {text}");
                    }
                }
                let megabytes = text.len() as f64 / 1e6;
                println!(
                    "{path}: {} functions, {} globals, {} metadata nodes, {total} instructions ({unknown} \
                     unknown); \
                     {megabytes:.1} MB in {:.1} ms, {:.0} MB/s",
                    module.functions.len(),
                    module.globals.len(),
                    module.metadata.len(),
                    seconds * 1e3,
                    megabytes / seconds
                );
            }
            Err(error) => println!("{error}"),
        }
    }
}
