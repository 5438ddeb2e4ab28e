//! What a run tells about itself while it goes on.

use crate::ids::{CTypeId, FunctionId, GlobalId, LocationId, ObjectSiteId, PropertyId, VariableId};
use crate::interpreter::machine::State;
use crate::interpreter::memory::{Object, ObjectContents, Origin};
use crate::program::{NondetSource, Position, Program, Type};
use crate::scalar::{ObjectRef, Pointer, PointerBase, ScalarValue};

/// How much an observer wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Output, inputs and the violation.
    Output,
    /// The same, and the locations that the run comes to.
    Locations,
    /// Every other event; the run is slower.
    Steps,
}

/// Watches a run.
pub trait Observer {
    /// How much it wants to know; asked once, before the run.
    fn detail(&self) -> Detail {
        Detail::Output
    }

    /// Something happened.
    fn event(&mut self, view: &View<'_>, event: &Event<'_>);

    /// Has it seen enough? The run then ends soon, as at its step limit; only runs that have one are ended.
    fn is_done(&self) -> bool {
        false
    }
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Event<'e> {
    /// A function was entered. `position` is that of the call.
    Call {
        /// The function.
        function: FunctionId,
        /// The values of its parameters.
        arguments: &'e [ScalarValue],
        /// Where the call is.
        position: Position,
    },
    /// A function returns; it is still the current one.
    Return {
        /// The function.
        function: FunctionId,
        /// Its results.
        results: &'e [ScalarValue],
    },
    /// A variable of the current function (no temporary) got a value.
    Assign {
        /// The variable.
        variable: VariableId,
        /// Its value.
        value: &'e ScalarValue,
        /// Where.
        position: Position,
    },
    /// Bytes of memory were read.
    Load {
        /// The first one.
        pointer: Pointer,
        /// How many.
        length: u64,
        /// Where the statement is.
        position: Position,
    },
    /// An object came to be on the heap.
    Allocated {
        /// It.
        pointer: Pointer,
    },
    /// An object of the heap is about to be freed.
    Freed {
        /// Its beginning.
        pointer: Pointer,
    },
    /// A value was stored in memory.
    Store {
        /// Where it is.
        pointer: Pointer,
        /// The value.
        value: &'e ScalarValue,
        /// The value before, where there was one.
        old: Option<&'e ScalarValue>,
        /// Where the statement is.
        position: Position,
    },
    /// Bytes of memory were copied or set.
    Fill {
        /// The first byte.
        pointer: Pointer,
        /// How many.
        length: u64,
        /// Where the statement is.
        position: Position,
    },
    /// A nondeterministic value was read.
    Input {
        /// What produced it.
        source: &'e NondetSource,
        /// The value.
        value: &'e ScalarValue,
        /// Where.
        position: Position,
    },
    /// The program printed something.
    Output {
        /// The bytes.
        text: &'e [u8],
        /// Where.
        position: Position,
    },
    /// The current function comes to a location; told only to those who want [`Detail::Locations`].
    Location {
        /// Which.
        location: LocationId,
    },
    /// One of several transitions is taken.
    Branch {
        /// Which.
        transition: u32,
        /// Of how many.
        count: u32,
        /// Where.
        position: Position,
    },
    /// A property is violated; the run ends.
    Violation {
        /// Which.
        property: PropertyId,
        /// What is wrong.
        message: &'e str,
        /// Where.
        position: Position,
    },
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn event(&mut self, _: &View<'_>, _: &Event<'_>) {}
}

/// Collects what the program prints.
#[derive(Clone, Debug, Default)]
pub struct OutputCollector {
    /// All of it.
    pub text: Vec<u8>,
}

impl Observer for OutputCollector {
    fn event(&mut self, _: &View<'_>, event: &Event<'_>) {
        if let Event::Output { text, .. } = event {
            self.text.extend_from_slice(text);
        }
    }
}

/// What kind of object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A global, static or string literal.
    Global,
    /// On the stack.
    Stack,
    /// On the heap.
    Heap,
}

/// An object as a user knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectInfo {
    /// The C name, or the allocating function's.
    pub name: String,
    /// The C type where known.
    pub c_type: Option<CTypeId>,
    /// What it is.
    pub kind: ObjectKind,
    /// Size in bytes.
    pub size: u64,
    /// Its address.
    pub address: u64,
    /// Its number in the order of creation.
    pub number: u64,
    /// Where it was declared or allocated.
    pub created: Position,
    /// True for objects of the library models.
    pub library: bool,
    /// Which global it is.
    pub global: Option<GlobalId>,
}

/// What memory holds at some time; equal where it holds the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contents {
    objects: Vec<(u64, ObjectContents)>,
    rounding: kripke_value::RoundingMode,
}

/// The state of the run, to look at.
pub struct View<'s> {
    pub(super) state: &'s State<'s>,
}

impl View<'_> {
    /// The program.
    pub fn program(&self) -> &Program {
        self.state.program
    }

    /// The calls on the stack, outermost first: the function, and where its call is.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = (FunctionId, Position)> + ExactSizeIterator {
        self.state
            .frames
            .iter()
            .map(|frame| (frame.code.function, frame.call))
    }

    /// How many calls deep the run is (0 in the entry function).
    pub fn depth(&self) -> u32 {
        self.state.frames.len().saturating_sub(1) as u32
    }

    /// The function that runs.
    pub fn function(&self) -> Option<FunctionId> {
        self.state.frames.last().map(|frame| frame.code.function)
    }

    /// How many statements have run.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// The live object the pointer points into.
    pub fn object(&self, pointer: Pointer) -> Option<ObjectInfo> {
        self.state
            .memory
            .live(pointer)
            .map(|object| describe(self.state.program, object))
    }

    /// The address of what the pointer points to.
    pub fn address(&self, pointer: Pointer) -> u64 {
        self.state.memory.address(pointer)
    }

    /// The value of a variable of the function that runs; of a variable that is not yet assigned, any.
    pub fn variable(&self, variable: VariableId) -> Option<ScalarValue> {
        self.state.variable(variable)
    }

    /// The value that a load would read, where all its bytes are written.
    pub fn read(&self, pointer: Pointer, ty: Type) -> Option<ScalarValue> {
        self.state.peek(pointer, ty)
    }

    /// What memory holds now, but for some globals.
    pub fn contents(&self, except: &[GlobalId]) -> Contents {
        let ignored = |origin: &Origin| matches!(origin, Origin::Global(id) if except.contains(id));
        let live = self
            .state
            .memory
            .live_objects()
            .filter(|object| !ignored(&object.origin));
        Contents {
            objects: live.map(|object| (object.number, object.contents())).collect(),
            rounding: self.state.rounding,
        }
    }

    /// Where each call on the stack stands, outermost first; means nothing but that equal numbers are equal
    /// places.
    pub fn program_counters(&self) -> Vec<usize> {
        self.state.frames.iter().map(|frame| frame.pc).collect()
    }

    /// The values of the variables of a call on the stack, outermost 0.
    pub fn frame_variables(&self, frame: usize) -> Vec<Option<ScalarValue>> {
        self.state.frame_variables(frame)
    }

    /// The live object at an address, as a pointer to that address.
    pub fn object_at(&self, address: u64) -> Option<Pointer> {
        self.state.memory.find(address)
    }

    /// The youngest live object on the stack that was made at a place, as a pointer to its start.
    pub fn stack_object(&self, site: ObjectSiteId) -> Option<Pointer> {
        let made_there = |object: &&ObjectRef| {
            let object = self.state.memory.object(object.slot);
            object.live && object.origin == Origin::Stack(site)
        };
        let youngest = self.state.stack_objects.iter().rev().find(made_there)?;
        Some(Pointer {
            base: PointerBase::Object(*youngest),
            offset: 0,
        })
    }

    /// The global's object, as a pointer to its start.
    pub fn global(&self, global: GlobalId) -> Pointer {
        Pointer {
            base: PointerBase::Object(ObjectRef::global(global)),
            offset: 0,
        }
    }
}

pub(super) fn describe(program: &Program, object: &Object) -> ObjectInfo {
    let site = |id: ObjectSiteId| &program.object_sites[id];
    let (name, c_type, kind, declared) = match object.origin {
        Origin::Global(id) => {
            let global = &program.globals[id];
            let name = global.c_name.as_ref().unwrap_or(&global.name);
            (name, global.c_type, ObjectKind::Global, global.position)
        }
        Origin::Stack(id) => (
            &site(id).name,
            site(id).c_type,
            ObjectKind::Stack,
            site(id).position,
        ),
        Origin::Heap(id) => (
            &site(id).name,
            site(id).c_type,
            ObjectKind::Heap,
            site(id).position,
        ),
    };
    ObjectInfo {
        name: name.clone(),
        c_type,
        kind,
        size: object.size,
        address: object.address,
        number: object.number,
        created: object.created,
        library: program.is_library(declared),
        global: match object.origin {
            Origin::Global(id) => Some(id),
            _ => None,
        },
    }
}
