//! What the models of FreeRTOS have to know of the port and of the version that a program is written for.
//!
//! Idea: the kernel's types are the port's, and its functions got parameters over time. The program's own
//! declarations, which come from the headers that it includes, tell both; the model is compiled with that.
//!
//! Source: the API reference of the FreeRTOS kernel, versions 8 to 11.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::ir::{Call, Constant, Function, InstructionKind, Module, Type, Value};
use crate::translate::operands::for_each_operand;

/// The file of the models that depends on it.
pub const MODEL: &str = "freertos.c";

/// Where a type stands in the declaration of a function: the number of a parameter, or its result.
#[derive(Clone, Copy)]
enum Place {
    Result,
    Parameter(usize),
}

use Place::{Parameter, Result};

/// Functions with a `BaseType_t` or an `UBaseType_t`, which are equally wide.
const BASES: &[(&str, Place)] = &[
    ("xTaskCreate", Result),
    ("xQueueGenericSend", Result),
    ("xQueueReceive", Result),
    ("xQueueSemaphoreTake", Result),
    ("xQueueGenericReceive", Result),
    ("xTaskGenericNotify", Result),
    ("xTaskResumeAll", Result),
    ("xTaskDelayUntil", Result),
    ("xTaskCreateStatic", Parameter(4)),
    ("xQueueGenericCreate", Parameter(0)),
    ("xQueueGenericCreateStatic", Parameter(0)),
    ("xQueueCreateCountingSemaphore", Parameter(0)),
    ("uxQueueMessagesWaiting", Result),
    ("xTaskGenericCreate", Result),
    ("xTimerGenericCommand", Result),
    ("xTimerGenericCommandFromTask", Result),
];

/// Functions with a `TickType_t`.
const TICKS: &[(&str, Place)] = &[
    ("vTaskDelay", Parameter(0)),
    ("xTaskDelayUntil", Parameter(1)),
    ("vTaskDelayUntil", Parameter(1)),
    ("xTaskGetTickCount", Result),
    ("xQueueGenericSend", Parameter(2)),
    ("xQueueReceive", Parameter(2)),
    ("xQueuePeek", Parameter(2)),
    ("xQueueGenericReceive", Parameter(2)),
    ("xQueueSemaphoreTake", Parameter(1)),
    ("xQueueTakeMutexRecursive", Parameter(1)),
    ("ulTaskGenericNotifyTake", Parameter(2)),
    ("ulTaskNotifyTake", Parameter(1)),
    ("xTaskGenericNotifyWait", Parameter(4)),
    ("xTaskNotifyWait", Parameter(3)),
    ("xEventGroupWaitBits", Parameter(4)),
    ("xEventGroupSync", Parameter(3)),
    ("xEventGroupSetBits", Parameter(1)),
    ("xTimerCreate", Parameter(1)),
    ("xTimerCreateStatic", Parameter(1)),
];

/// The definitions that stand before the text of the model.
pub fn definitions(modules: &[Module]) -> String {
    let declared = |name: &str| {
        let own = modules.iter().filter(|module| !module.is_library_model);
        own.flat_map(|module| &module.functions)
            .find(|function| &*function.name == name)
    };
    let mut text = String::new();
    let mut define = |name: &str, value: usize| {
        let _ = writeln!(text, "#define KRIPKE_{name} {value}");
    };
    let width = |places: &[(&str, Place)]| {
        let mut known = places.iter();
        known.find_map(|(name, place)| width_at(declared(name)?, *place))
    };
    define("BASE_BITS", width(BASES).unwrap_or(32) as usize);
    define("TICK_BITS", width(TICKS).unwrap_or(32) as usize);
    let has = |name: &str, count: usize| {
        let function = declared(name);
        function.is_some_and(|function| function.parameters.len() == count)
    };
    // The index came as the second parameter.
    let indexed = has("xTaskGenericNotify", 5) || has("xTaskGenericNotifyFromISR", 6);
    let own = || modules.iter().filter(|module| !module.is_library_model);
    let has_any = |names: &[&str]| names.iter().any(|name| declared(name).is_some());
    let mut define = |name: &str, is_so: bool| define(name, usize::from(is_so));
    define("INDEXED_NOTIFICATIONS", indexed);
    define(
        "STARTS_SCHEDULER",
        has_any(&["vTaskStartScheduler", "osKernelStart"]),
    );
    define("USES_TIMERS", has_any(&["xTimerCreate", "xTimerCreateStatic"]));
    define("DELETES_OTHERS", own().any(deletes_others));
    define(
        "READS_TIME",
        own().any(reads_time) || has_any(&["osKernelGetTickCount"]),
    );
    text
}

/// Is there a call that deletes another task? The model says where there is one that is not seen here.
fn deletes_others(module: &Module) -> bool {
    calls_of(module, &["vTaskDelete", "osThreadTerminate"]).any(|call| {
        let mut arguments = call.arguments.iter();
        arguments.any(|argument| argument.value != Value::Constant(Constant::Null))
    })
}

/// Is the count of ticks used for anything but the commands of timers?
fn reads_time(module: &Module) -> bool {
    let clocks = ["xTaskGetTickCount", "xTaskGetTickCountFromISR"];
    let is_clock =
        |value: &Value| matches!(value, Value::Constant(Constant::Global(name)) if clocks.contains(&&**name));
    module.functions.iter().any(|function| {
        let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
        let times = instructions().filter(|instruction| match &instruction.kind {
            InstructionKind::Call(call) => is_clock(&call.callee),
            _ => false,
        });
        let times: BTreeSet<&str> = times
            .filter_map(|instruction| instruction.result.as_deref())
            .collect();
        instructions().any(|instruction| {
            let mut reads = false;
            let is_known = match &instruction.kind {
                InstructionKind::Call(call) => is_command(call) || is_clock(&call.callee),
                _ => false,
            };
            for_each_operand(&instruction.kind, |operand| {
                reads |= is_clock(operand);
                reads |= matches!(operand, Value::Local(name) if times.contains(&**name));
            });
            reads && !is_known
        })
    })
}

/// Is it a call that gives a timer a command?
fn is_command(call: &Call) -> bool {
    let Value::Constant(Constant::Global(name)) = &call.callee else {
        return false;
    };
    name.starts_with("xTimerGenericCommand")
}

fn calls_of<'m>(module: &'m Module, names: &'m [&str]) -> impl Iterator<Item = &'m Call> {
    module.functions.iter().flat_map(move |function| {
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        instructions.filter_map(move |instruction| match &instruction.kind {
            InstructionKind::Call(call) => match &call.callee {
                Value::Constant(Constant::Global(name)) if names.contains(&&**name) => Some(call),
                _ => None,
            },
            _ => None,
        })
    })
}

fn width_at(function: &Function, place: Place) -> Option<u32> {
    let ty = match place {
        Result => &function.result,
        Parameter(number) => &function.parameters.get(number)?.ty,
    };
    match ty {
        Type::Int(width) => Some(*width),
        _ => None,
    }
}

/// How the names of FreeRTOS and CMSIS-RTOS2 begin, each followed by what a function is about.
const PREFIXES: &[&str] = &[
    "osKernel",
    "osThread",
    "osMutex",
    "osSemaphore",
    "osMessageQueue",
    "osEventFlags",
    "osTimer",
    "osMemoryPool",
    "osDelay",
    "xTask",
    "vTask",
    "uxTask",
    "ulTask",
    "eTask",
    "pcTask",
    "pvTask",
    "xQueue",
    "vQueue",
    "uxQueue",
    "pcQueue",
    "ucQueue",
    "xEventGroup",
    "vEventGroup",
    "uxEventGroup",
    "xTimer",
    "vTimer",
    "uxTimer",
    "pcTimer",
    "pvTimer",
    "xStreamBuffer",
    "vStreamBuffer",
    "uxStreamBuffer",
    "ucStreamBuffer",
    "xMessageBuffer",
    "vMessageBuffer",
    "xCoRoutine",
    "vCoRoutine",
    "xPort",
    "vPort",
    "pvPort",
    "ulPort",
    "uxPort",
    "ucPort",
];

/// May a function without a body be one of them?
pub fn is_of_freertos(name: &str) -> bool {
    let mut rests = PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix));
    rests.any(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::{definitions, is_of_freertos};
    use crate::parser;

    #[test]
    fn types_are_those_of_the_declarations() {
        let text = "declare i64 @xTaskCreate(ptr, ptr, i16, ptr, i64, ptr)\ndeclare void @vTaskDelay(i16)\n\
                    declare i64 @xTaskGenericNotify(ptr, i64, i32, i32, ptr)\n";
        let module = parser::parse(text.as_bytes(), "t.ll").unwrap();
        let expected = "#define KRIPKE_BASE_BITS 64\n#define KRIPKE_TICK_BITS 16\n\
                        #define KRIPKE_INDEXED_NOTIFICATIONS 1\n#define KRIPKE_STARTS_SCHEDULER 0\n\
                        #define KRIPKE_USES_TIMERS 0\n#define KRIPKE_DELETES_OTHERS 0\n\
                        #define KRIPKE_READS_TIME 0\n";
        assert_eq!(definitions(&[module]), expected);
    }

    #[test]
    fn names_of_the_kernel() {
        assert!(is_of_freertos("xTaskAbortDelay"));
        assert!(is_of_freertos("vPortSuppressTicksAndSleep"));
        assert!(!is_of_freertos("xTasks"));
        assert!(!is_of_freertos("read_sensor"));
    }
}
