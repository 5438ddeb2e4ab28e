//! The depth of the stack as JSON.

use kripke_avr::flow::Resolution;
use kripke_avr::stack::Leaves;
use serde_json::{Value, json};

use super::{Answer, Outcome, text};
use kripke_check::Failure;

/// The text of the JSON object.
pub fn render(result: &Outcome<'_>) -> Result<String, Failure> {
    let depth = result.depth;
    let verdict = match result.answer() {
        Answer::Fits => "fits",
        Answer::DoesNotFit => "does not fit",
        Answer::Unknown => "unknown",
    };
    let causes: Vec<String> = depth.causes.iter().map(|cause| result.cause(cause)).collect();
    let value = json!({
        "verdict": verdict,
        "bytes": depth.bytes,
        "available": depth.available(),
        "initial_stack_pointer": depth.initial,
        "static_data_end": depth.data_end,
        "unknown": causes,
        "path": path(result),
        "handlers": handlers(result),
        "functions": functions(result),
        "indirect": indirect(result),
        "assumptions": result.assumptions,
    });
    let text = serde_json::to_string_pretty(&value).map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(text + "\n")
}

fn place(result: &Outcome<'_>, at: u32) -> Value {
    let place = result.firmware.place(at);
    let mut value = json!({ "address": at * 2 });
    if place.line > 0 && !place.function.is_empty() {
        value["file"] = json!(place.file);
        value["line"] = json!(place.line);
    }
    value
}

fn path(result: &Outcome<'_>) -> Vec<Value> {
    let steps = result.depth.path.iter();
    steps
        .map(|step| {
            let interrupt = match step.leaves {
                Leaves::Interrupt(index) => json!(result.firmware.device.vectors[index].name),
                _ => Value::Null,
            };
            json!({
                "function": result.name(step.entry),
                "jumped_to": result.jumped_to(step.entry, step.at),
                "bytes": step.bytes,
                "place": place(result, step.at),
                "ends_with": match step.leaves {
                    Leaves::Call => "call",
                    Leaves::Interrupt(_) => "interrupt",
                    Leaves::Nothing => "deepest",
                },
                "interrupt": interrupt,
            })
        })
        .collect()
}

fn handlers(result: &Outcome<'_>) -> Vec<Value> {
    let careless = &result.cfg.flow.careless_handlers;
    let handlers = result.depth.handlers.iter();
    handlers
        .map(|handler| {
            let changed = careless.iter().filter(|(entry, _)| *entry == handler.entry);
            let changed = changed.fold(0, |all, (_, cells)| all | cells);
            json!({
                "interrupt": result.firmware.device.vectors[handler.vector].name,
                "function": result.handler(handler.entry),
                "bytes": handler.bytes,
                "bytes_when_interrupted": handler.interrupted,
                "registers_not_restored": text::registers(changed),
            })
        })
        .collect()
}

fn functions(result: &Outcome<'_>) -> Vec<Value> {
    let functions = result.depth.functions.iter();
    functions
        .map(|need| {
            json!({
                "function": result.name(need.entry),
                "address": need.entry * 2,
                "own": need.own,
                "total": need.total,
            })
        })
        .collect()
}

fn indirect(result: &Outcome<'_>) -> Vec<Value> {
    let jumps = result.cfg.flow.indirect.iter();
    jumps
        .map(|(at, jump)| {
            let targets: Vec<Value> = jump
                .targets
                .iter()
                .map(|target| {
                    let name = kripke_avr::disassemble::place(&result.firmware.image, target * 2);
                    json!({ "address": target * 2, "name": name })
                })
                .collect();
            json!({
                "place": place(result, *at),
                "resolved": match jump.resolution {
                    Resolution::Direct | Resolution::Constant => "constant",
                    Resolution::Table(_) => "table",
                    Resolution::Given => "given",
                    Resolution::AddressTaken => "address taken",
                    Resolution::Unresolved => "no",
                },
                "targets": targets,
            })
        })
        .collect()
}
