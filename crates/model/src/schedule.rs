//! In which order what runs side by side went on in a run: threads, or a program and its handlers.
//!
//! Idea: a run of several threads is a row of *turns*, in each of which one of them goes on. A turn ends
//! behind the last thing in it that others can tell; what comes after it up to the thread's next turn may as
//! well come later. So a compiled program follows the run if it lets a thread go on up to there, and each
//! turn says where that is in terms that every build of the program shares: which objects are accessed, how
//! often, and how often the thread came to where the thread library lets others run.

/// One of those that run side by side goes on, until another one does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The thread's number; where there are no threads, how many handlers have begun and not returned.
    pub runner: u32,
    /// The handler that begins with this turn.
    pub begins: Option<String>,
    /// The handler returns at its end.
    pub returns: bool,
    /// How often the thread passed, in this turn, where the thread library lets others run;
    /// [`UNTIL_IT_WAITS`](Self::UNTIL_IT_WAITS) where it goes on until it has to wait.
    pub passed: u32,
    /// The last access after that which others can tell.
    pub access: Option<CountedAccess>,
}

impl Turn {
    /// The thread goes on until it has to wait.
    pub const UNTIL_IT_WAITS: u32 = u32::MAX;
}

/// An access to memory, and which one it is, of all that access some of the same bytes, counted from the
/// beginning of the turn or from where the thread library let others run last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedAccess {
    /// The object.
    pub object: SharedObject,
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u64,
    /// It writes.
    pub writes: bool,
    /// From 1.
    pub count: u32,
}

/// An object, as it is known in every build of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedObject {
    /// By the name of its symbol; `function.name` where it is a static one of a function.
    Global {
        /// The name; a number may stand behind it where several files have a static one of that name.
        name: String,
        /// The file in which it is declared, without folders.
        file: String,
    },
    /// By its number among all of the heap, in the order of their creation, from 1.
    Heap(u32),
    /// What the argument of a thread points into, by the thread's number, and the argument's offset.
    Argument(u32, u64),
    /// Any object of a frame.
    Frame,
}

/// What a compiled program needs to follow a run of threads or handlers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Threads take turns, and not a program and its handlers.
    pub has_threads: bool,
    /// In order; the last one lasts up to the end of the run.
    pub turns: Vec<Turn>,
    /// The numbers of the threads in the order in which they were created.
    pub created: Vec<u32>,
    /// Who read each input, in the order of the trace's steps.
    pub inputs: Vec<u32>,
    /// The accesses that two threads make next, where these race.
    pub next: Vec<(u32, CountedAccess)>,
}
