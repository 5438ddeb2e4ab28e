//! The register code that functions are compiled to.
//!
//! A frame is an array of 64-bit words. An integer or float of at most 64 bits takes one word
//! (zero-extended), a pointer two; wider values live in a second array of [`ScalarValue`]s.
//! Constants have words of their own, which a new frame copies from [`Code::template`].
//!
//! `shift` is 64 less the width of the operation: shifting both operands left by it puts their
//! signs where the processor expects them, and shifting a result left and right cuts it.

use kripke_value::MathFunction;

use crate::ids::{FunctionId, LocationId, ObjectSiteId, PropertyId, VariableId};
use crate::interpreter::StatementSite;
use crate::program::{AccessChecks, Expr, NondetSource, OutputFunction, Position, StopReason, Type};

/// Where a value stands in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The word, the first of two words for a pointer, or the index among the wide values.
    pub index: u32,
    pub ty: Type,
}

/// How values of a type are stored in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Word,
    Pointer,
    Wide,
}

/// How values of the type are stored in a frame.
pub fn storage(ty: Type) -> Storage {
    match ty {
        Type::Int(width) if width <= 64 => Storage::Word,
        Type::Float(format) if format.bits() <= 64 => Storage::Word,
        Type::Pointer => Storage::Pointer,
        _ => Storage::Wide,
    }
}

/// One instruction. `dst`, `a`, `b`, `c` are words of the frame.
#[derive(Clone, Copy, Debug)]
pub enum Instr {
    Move {
        dst: u32,
        a: u32,
    },
    MovePointer {
        dst: u32,
        a: u32,
    },
    Add {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    Sub {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    Mul {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    UDiv {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    SDiv {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    URem {
        dst: u32,
        a: u32,
        b: u32,
    },
    SRem {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    Shl {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    LShr {
        dst: u32,
        a: u32,
        b: u32,
    },
    AShr {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    And {
        dst: u32,
        a: u32,
        b: u32,
    },
    Or {
        dst: u32,
        a: u32,
        b: u32,
    },
    Xor {
        dst: u32,
        a: u32,
        b: u32,
    },
    Eq {
        dst: u32,
        a: u32,
        b: u32,
    },
    Ne {
        dst: u32,
        a: u32,
        b: u32,
    },
    ULt {
        dst: u32,
        a: u32,
        b: u32,
    },
    ULe {
        dst: u32,
        a: u32,
        b: u32,
    },
    SLt {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    SLe {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    SAddOverflow {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    UAddOverflow {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    SSubOverflow {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    SMulOverflow {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    UMulOverflow {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    Not {
        shift: u8,
        dst: u32,
        a: u32,
    },
    Neg {
        shift: u8,
        dst: u32,
        a: u32,
    },
    SExt {
        from: u8,
        to: u8,
        dst: u32,
        a: u32,
    },
    /// Cuts to 64 - `shift` bits, after dropping `low` bits.
    Extract {
        shift: u8,
        low: u8,
        dst: u32,
        a: u32,
    },
    Concat {
        low: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    Select {
        dst: u32,
        c: u32,
        a: u32,
        b: u32,
    },
    SelectPointer {
        dst: u32,
        c: u32,
        a: u32,
        b: u32,
    },
    PointerAdd {
        shift: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    PointerEq {
        dst: u32,
        a: u32,
        b: u32,
    },
    FAdd32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FSub32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FMul32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FDiv32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FEq32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FLt32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FLe32 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FAdd64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FSub64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FMul64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FDiv64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FEq64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FLt64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    FLe64 {
        dst: u32,
        a: u32,
        b: u32,
    },
    F32To64 {
        dst: u32,
        a: u32,
    },
    F64To32 {
        dst: u32,
        a: u32,
    },
    SToF32 {
        shift: u8,
        dst: u32,
        a: u32,
    },
    SToF64 {
        shift: u8,
        dst: u32,
        a: u32,
    },
    UToF32 {
        dst: u32,
        a: u32,
    },
    UToF64 {
        dst: u32,
        a: u32,
    },
    F32ToS {
        shift: u8,
        dst: u32,
        a: u32,
    },
    F64ToS {
        shift: u8,
        dst: u32,
        a: u32,
    },
    Load {
        dst: u32,
        a: u32,
        access: u32,
    },
    LoadPointer {
        dst: u32,
        a: u32,
        access: u32,
    },
    Store {
        a: u32,
        b: u32,
        access: u32,
    },
    Jump {
        target: u32,
        steps: u32,
    },
    JumpIfZero {
        a: u32,
        target: u32,
    },
    JumpUnlessEq {
        a: u32,
        b: u32,
        target: u32,
    },
    JumpUnlessULt {
        a: u32,
        b: u32,
        target: u32,
    },
    JumpUnlessSLt {
        shift: u8,
        a: u32,
        b: u32,
        target: u32,
    },
    JumpUnlessSLe {
        shift: u8,
        a: u32,
        b: u32,
        target: u32,
    },
    /// Into a jump table of the code.
    Switch {
        a: u32,
        table: u32,
    },
    /// Goes on where `a` is not zero, else [`Operation`] `failure` runs.
    Require {
        a: u32,
        failure: u32,
    },
    Call {
        call: u32,
    },
    Return,
    /// Everything else: an [`Operation`] of the code.
    Operate {
        operation: u32,
    },
}

/// What a load or store accesses.
#[derive(Clone, Debug)]
pub struct Access {
    pub ty: Type,
    pub size: u32,
    pub align: u32,
    /// 64 less the width of the loaded value; 64 marks values that do not fit a word.
    pub shift: u8,
    pub checks: AccessChecks,
    /// Is it a read that says `volatile`?
    pub volatile: bool,
    pub position: Position,
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// Where the pointer stands, for an indirect call.
    pub callee: Result<FunctionId, u32>,
    pub arguments: Vec<Place>,
    pub results: Vec<Place>,
    /// The words of the results' flags of assignment, where they have any.
    pub flags: Vec<Option<u32>>,
    pub check: Option<PropertyId>,
    pub position: Position,
    pub site: StatementSite,
}

/// What is too rare or too long for the hot loop.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Evaluates an expression on scalar values.
    Evaluate {
        target: Place,
        expr: Expr,
    },
    /// Gives a value to a variable that is read before it is assigned; `flag` is the word that says so.
    EnsureAssigned {
        flag: u32,
        variable: VariableId,
    },
    LoadWide {
        target: Place,
        address: u32,
        access: u32,
    },
    StoreWide {
        address: u32,
        value: Place,
        access: u32,
    },
    StackObject {
        target: Place,
        size: Place,
        site: ObjectSiteId,
        position: Position,
    },
    HeapObject {
        target: Place,
        size: Place,
        zeroed: bool,
        site: ObjectSiteId,
        position: Position,
    },
    EndObject {
        pointer: u32,
        position: Position,
    },
    Free {
        pointer: u32,
        check: Option<PropertyId>,
        position: Position,
    },
    CopyMemory {
        target: u32,
        source: u32,
        length: Place,
        overlap: bool,
        checks: AccessChecks,
        position: Position,
    },
    SetMemory {
        target: u32,
        value: Place,
        length: Place,
        checks: AccessChecks,
        position: Position,
    },
    Nondet {
        target: Place,
        source: NondetSource,
        position: Position,
        site: StatementSite,
    },
    Math {
        target: Place,
        function: MathFunction,
        arguments: Vec<Place>,
        position: Position,
        site: StatementSite,
    },
    AssumeFails {
        position: Position,
    },
    AssertFails {
        property: PropertyId,
        condition: Expr,
        position: Position,
    },
    SetRounding {
        mode: Place,
    },
    GetRounding {
        target: Place,
    },
    Output {
        target: Option<Place>,
        function: OutputFunction,
        arguments: Vec<Place>,
        position: Position,
    },
    Stop {
        reason: StopReason,
        status: Option<Place>,
        position: Position,
    },
    Unsupported {
        what: String,
        position: Position,
    },
    /// Tells the observer that a variable was assigned.
    Observe {
        variable: VariableId,
        value: Place,
        position: Position,
    },
    /// Tells the observer to which location the run comes.
    ObserveLocation {
        location: LocationId,
    },
    /// Tells the observer which transition is taken.
    ObserveBranch {
        transition: u32,
        count: u32,
        position: Position,
    },
    /// A location none of whose guards holds.
    Stuck {
        position: Position,
    },
}

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    pub function: FunctionId,
    pub instrs: Vec<Instr>,
    pub accesses: Vec<Access>,
    pub calls: Vec<CallSite>,
    pub operations: Vec<Operation>,
    pub tables: Vec<JumpTable>,
    /// The initial words of a frame: constants at their places, zero elsewhere.
    pub template: Vec<u64>,
    /// How many wide values a frame holds.
    pub wide: usize,
    pub variables: Vec<Place>,
    pub parameters: Vec<Place>,
    pub results: Vec<Place>,
}

/// Targets by the value of an integer.
#[derive(Debug)]
pub struct JumpTable {
    pub targets: rustc_hash::FxHashMap<u64, u32>,
    pub default: u32,
}
