//! The analyses as JSON.

use kripke_avr::definitions::{Definition, Definitions};
use kripke_avr::disassemble;
use kripke_avr::live::dead::DeadStore;
use serde_json::{Value, json};

use super::super::cfg::way;
use super::{Analysis, Show, letters, numbers};
use kripke_check::Failure;

/// The text of the JSON object.
pub fn render(analysis: &Analysis<'_>) -> Result<String, Failure> {
    let (functions, parts) = analysis.unreached();
    let value = json!({
        "device": analysis.firmware.device.name,
        "complete": analysis.liveness.why_incomplete().is_none(),
        "why_incomplete": analysis.why_incomplete(),
        "functions": analysis.chosen.iter().map(|index| function(analysis, *index)).collect::<Vec<_>>(),
        "handlers": handlers(analysis),
        "dead_stores": dead_stores(analysis),
        "reserved_writes": reserved_writes(analysis),
        "unreached": {
            "functions": functions,
            "ranges": parts.iter().map(|(from, to)| json!({ "from": from, "to": to })).collect::<Vec<_>>(),
        },
    });
    let text = serde_json::to_string_pretty(&value).map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(text + "\n")
}

fn place(analysis: &Analysis<'_>, at: u32) -> Value {
    let place = analysis.firmware.place(at);
    let mut value = json!({ "address": at * 2 });
    if place.line > 0 && !place.function.is_empty() {
        value["file"] = json!(place.file);
        value["line"] = json!(place.line);
    }
    value
}

fn function(analysis: &Analysis<'_>, index: usize) -> Value {
    let definitions = Definitions::new(&analysis.cfg, &analysis.liveness, index);
    let places = analysis.places(index).into_iter();
    let instructions: Vec<Value> = places.map(|at| instruction(analysis, at, &definitions)).collect();
    json!({
        "name": analysis.cfg.functions[index].name,
        "address": analysis.cfg.functions[index].entry * 2,
        "instructions": instructions,
    })
}

fn instruction(analysis: &Analysis<'_>, at: u32, definitions: &Definitions) -> Value {
    let node = &analysis.cfg.nodes[&at];
    let mut value = place(analysis, at);
    value["text"] = json!(disassemble::text(&node.instruction).replace('\t', " "));
    for show in &analysis.shown {
        match show {
            Show::Live => {
                value["live"] = json!({
                    "registers": numbers(analysis.liveness.live_registers(at)),
                    "flags": letters(analysis.liveness.live_flags(at)),
                    "variables": analysis.live_variables(at),
                });
            }
            Show::Stack => value["stack"] = json!(analysis.heights(at)),
            Show::Interrupts => value["interrupts"] = json!(analysis.interrupts(at)),
            Show::Definitions => {
                let reads = analysis.reads(at, definitions).into_iter().map(|read| {
                    json!({
                        "register": read.register,
                        "value": read.value,
                        "from": read.from.iter().map(|from| origin(*from)).collect::<Vec<_>>(),
                    })
                });
                value["reads"] = json!(reads.collect::<Vec<_>>());
            }
            Show::Cfg => {
                let to = node.successors.iter();
                let to = to.map(|(to, kind)| json!({ "address": to * 2, "how": way(*kind) }));
                value["successors"] = json!(to.collect::<Vec<_>>());
                value["calls"] = json!(node.calls.iter().map(|callee| callee * 2).collect::<Vec<_>>());
            }
        }
    }
    value
}

fn origin(definition: Definition) -> Value {
    match definition {
        Definition::Entry => json!("entry"),
        Definition::Interrupt => json!("interrupt"),
        Definition::Instruction(at) => json!({ "instruction": at * 2 }),
        Definition::Call(at) => json!({ "call": at * 2 }),
    }
}

fn handlers(analysis: &Analysis<'_>) -> Vec<Value> {
    let handlers = analysis.cfg.flow.handlers.iter();
    handlers
        .map(|(index, word)| {
            let mut value = json!({
                "interrupt": analysis.firmware.device.vectors[*index].name,
                "function": analysis.handler(*word),
            });
            if let Some(found) = analysis.liveness.handler_reads(*word) {
                value["uses"] = json!(numbers(found.reads));
                value["uses_flags"] = json!(letters(found.reads_flags));
                value["changes"] = json!(numbers(found.changes));
                value["changes_flags"] = json!(letters(found.changes_flags));
                value["returns"] = json!(found.returns);
            }
            value
        })
        .collect()
}

fn dead_stores(analysis: &Analysis<'_>) -> Vec<Value> {
    let dead = analysis.dead.iter();
    dead.map(|(at, what)| {
        let mut value = place(analysis, *at);
        value["variable"] = match what {
            DeadStore::Registers => Value::Null,
            DeadStore::Memory(byte) => json!(analysis.firmware.data_name(*byte)),
        };
        value
    })
    .collect()
}

fn reserved_writes(analysis: &Analysis<'_>) -> Vec<Value> {
    let writes = analysis.reserved_writes();
    let shown = writes.iter().map(|write| {
        let mut value = place(analysis, write.at);
        value["register"] = json!(write.register);
        value["bits"] = json!(write.bits);
        value
    });
    shown.collect()
}
