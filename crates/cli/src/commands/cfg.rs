//! `kripke cfg`: the control flow graph of a firmware, as text or for Graphviz.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use kripke_avr::cfg::{Block, Cfg, Function};
use kripke_avr::disassemble;
use kripke_avr::flow::{EdgeKind, Resolution, Start};
use kripke_graph::dot::escaped;

use crate::arguments::CfgArguments;
use crate::watchdog::Watchdog;
use crate::{firmware, output};
use kripke_check::Failure;
use kripke_check::firmware::Firmware;
use kripke_check::hint;

/// Prints the graph.
pub fn cfg(arguments: &CfgArguments) -> Result<u8, Failure> {
    let _watchdog = Watchdog::start(&arguments.limits.starting_now(Arc::default()));
    let firmware = firmware::load(&arguments.file, &arguments.device)?;
    firmware.refuse_boot_section()?;
    let cfg = Cfg::new(&firmware.image, &firmware.device);
    let chosen = match &arguments.function {
        None => (0..cfg.functions.len()).collect(),
        Some(name) => named(&cfg, &firmware, name)?,
    };
    let view = View {
        firmware: &firmware,
        cfg: &cfg,
        chosen,
    };
    output::print(&if arguments.dot { view.dot() } else { view.text() })?;
    Ok(0)
}

/// The functions of that name, by index.
pub fn named(cfg: &Cfg, firmware: &Firmware, name: &str) -> Result<Vec<usize>, Failure> {
    let functions = cfg.functions.iter().enumerate();
    let found: Vec<usize> = functions
        .filter(|(_, function)| function.name == name)
        .map(|(index, _)| index)
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let exists = firmware.image.symbol(name).is_some();
    let hint = hint(name, cfg.functions.iter().map(|function| function.name.as_str()));
    Err(Failure::input(match exists {
        true => format!("the function '{name}' is never reached"),
        false => format!("there is no function '{name}'{hint}"),
    }))
}

struct View<'a> {
    firmware: &'a Firmware,
    cfg: &'a Cfg,
    /// Indices of the functions that are shown.
    chosen: Vec<usize>,
}

impl View<'_> {
    /// A function's role, if it is not just called.
    fn role(&self, function: &Function) -> Option<String> {
        match function.start? {
            Start::Reset => Some("from reset".to_owned()),
            Start::Interrupt(index) => {
                Some(format!("handler of {}", self.firmware.device.vectors[index].name))
            }
            Start::Call => None,
        }
    }

    fn names(&self, functions: &BTreeSet<usize>) -> String {
        let names: Vec<&str> = functions
            .iter()
            .map(|index| self.cfg.functions[*index].name.as_str())
            .collect();
        names.join(", ")
    }

    /// What an instruction calls or jumps to, as a comment.
    fn comment(&self, at: u32) -> String {
        if let Some(jump) = self.cfg.flow.indirect.get(&at) {
            let targets: Vec<String> = jump.targets.iter().map(|target| self.target(*target)).collect();
            return match jump.resolution {
                Resolution::Unresolved => "  ; target not known".to_owned(),
                Resolution::AddressTaken => format!("  ; one of {}", targets.join(", ")),
                _ => format!("  ; {}", targets.join(", ")),
            };
        }
        let Some(node) = self.cfg.nodes.get(&at) else {
            return String::new();
        };
        disassemble::destination(&node.instruction, at * 2, self.firmware.device.flash.size)
            .map_or_else(String::new, |target| format!("  ; {}", self.target(target / 2)))
    }

    fn target(&self, at: u32) -> String {
        disassemble::place(&self.firmware.image, at * 2).unwrap_or_else(|| format!("{:#06x}", at * 2))
    }

    /// The instructions of a block with source lines between them.
    fn lines(&self, block: &Block) -> Vec<String> {
        let mut lines = Vec::new();
        let mut before = (String::new(), 0);
        for at in &block.locations {
            let place = self.firmware.place(*at);
            let line = (place.file, place.line);
            if line.1 > 0 && line != before {
                lines.push(format!("; {}:{}", line.0, line.1));
                before = line;
            }
            let Some(node) = self.cfg.nodes.get(at) else {
                continue;
            };
            let shown = disassemble::text(&node.instruction).replace('\t', " ");
            lines.push(format!("{:6x}:  {shown}{}", at * 2, self.comment(*at)));
        }
        lines
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for index in &self.chosen {
            let function = &self.cfg.functions[*index];
            let role = self
                .role(function)
                .map_or_else(String::new, |role| format!(", {role}"));
            let _ = writeln!(text, "{} at {:#06x}{role}", function.name, function.entry * 2);
            if !function.callees.is_empty() {
                let _ = writeln!(text, "  calls {}", self.names(&function.callees));
            }
            if !function.callers.is_empty() {
                let _ = writeln!(text, "  called by {}", self.names(&function.callers));
            }
            for block in &function.blocks {
                self.block_text(&mut text, *block);
            }
            text.push('\n');
        }
        text
    }

    fn block_text(&self, text: &mut String, index: usize) {
        let block = &self.cfg.blocks[index];
        let from: Vec<String> = block
            .predecessors
            .iter()
            .map(|before| self.block_name(*before, block.function))
            .collect();
        let from = match from.is_empty() {
            true => String::new(),
            false => format!(" from {}", from.join(", ")),
        };
        let _ = writeln!(text, "  block {:#06x}{from}", block.start() * 2);
        for line in self.lines(block) {
            let _ = writeln!(text, "    {line}");
        }
        let to: Vec<String> = block
            .successors
            .iter()
            .map(|(next, kind)| format!("{} ({})", self.block_name(*next, block.function), way(*kind)))
            .collect();
        match to.is_empty() {
            true => text.push_str("    ends\n"),
            false => {
                let _ = writeln!(text, "    to {}", to.join(", "));
            }
        }
    }

    /// A block's address, with its function if that is another one.
    fn block_name(&self, index: usize, seen_from: usize) -> String {
        let block = &self.cfg.blocks[index];
        match block.function == seen_from {
            true => format!("{:#06x}", block.start() * 2),
            false => format!(
                "{:#06x} in {}",
                block.start() * 2,
                self.cfg.functions[block.function].name
            ),
        }
    }

    fn dot(&self) -> String {
        let mut text = String::from(
            "digraph cfg {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontsize=9];\n",
        );
        let shown: BTreeSet<usize> = self.chosen.iter().copied().collect();
        let mut outside: BTreeSet<usize> = BTreeSet::new();
        for index in &self.chosen {
            let function = &self.cfg.functions[*index];
            let label = match self.role(function) {
                Some(role) => format!("{} ({role})", function.name),
                None => function.name.clone(),
            };
            let colour = match function.start {
                Some(Start::Interrupt(_)) => "style=filled; fillcolor=\"#fff0d0\"; color=\"#c06000\"",
                _ => "color=gray",
            };
            let _ = writeln!(
                text,
                "  subgraph cluster_{index} {{\n    label=\"{}\"; {colour};",
                escaped(&label)
            );
            for block in &function.blocks {
                let mut label = String::new();
                for line in self.lines(&self.cfg.blocks[*block]) {
                    label.push_str(&escaped(&line));
                    label.push_str("\\l");
                }
                let _ = writeln!(text, "    b{block} [label=\"{label}\"];");
            }
            text.push_str("  }\n");
        }
        for index in &self.chosen {
            for block in &self.cfg.functions[*index].blocks {
                self.edges(&mut text, *block, &shown, &mut outside);
            }
        }
        for index in outside {
            let _ = writeln!(
                text,
                "  f{index} [label=\"{}\", shape=ellipse];",
                escaped(&self.cfg.functions[index].name)
            );
        }
        text.push_str("}\n");
        text
    }

    /// Edges of a block; functions that are not shown are single nodes.
    fn edges(&self, text: &mut String, index: usize, shown: &BTreeSet<usize>, outside: &mut BTreeSet<usize>) {
        let block = &self.cfg.blocks[index];
        let mut node = |to: usize| {
            let function = self.cfg.blocks[to].function;
            if shown.contains(&function) {
                return format!("b{to}");
            }
            outside.insert(function);
            format!("f{function}")
        };
        for (next, kind) in &block.successors {
            let label = match kind {
                EdgeKind::Next | EdgeKind::Return => String::new(),
                kind => format!(" [label=\"{}\"]", way(*kind)),
            };
            let _ = writeln!(text, "  b{index} -> {}{label};", node(*next));
        }
        let calls: BTreeSet<u32> = block
            .locations
            .iter()
            .filter_map(|at| self.cfg.nodes.get(at))
            .flat_map(|node| node.calls.iter().copied())
            .collect();
        for callee in calls {
            if let Some(callee) = self.cfg.nodes.get(&callee) {
                let _ = writeln!(text, "  b{index} -> {} [style=dashed];", node(callee.block));
            }
        }
    }
}

/// How control gets to a block.
pub fn way(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Next => "next",
        EdgeKind::Branch => "branch",
        EdgeKind::Skip => "skip",
        EdgeKind::Jump => "jump",
        EdgeKind::Indirect => "computed",
        EdgeKind::Return => "after the call",
    }
}
