//! The program model: an extended labelled transition system (ELTS) per function.
//!
//! Idea: a function is a graph of locations. A transition leaves a location when its guard
//! holds, runs its C-like statements, and enters its target. Values are scalars only
//! (integers of any width, floats, pointers); aggregates live in memory objects. The front
//! end has already resolved every layout question (sizes, offsets, padding, byte order), so
//! no pass or engine needs a C type except to print.
//!
//! Invariants:
//! - the guards of the transitions that leave one location exclude each other and together
//!   are true; a location with no transition is the function's `exit`, or unreachable;
//! - `exit` has no outgoing transition; entering it returns `results` to the caller;
//! - expressions have no side effects and cannot fail: everything that can is a statement;
//! - `Int(1)` is the truth value; comparisons produce it.
//!
//! Source: Ceagle (Wang et al. 2016), sections 2 and 4; here kept per function, with calls as
//! statements, so that recursion stays finite.

use kripke_value::{BitVec, Float, FloatFormat, MathFunction};

use crate::ids::{
    CTypeId, FileId, FunctionId, GlobalId, IdVec, LocationId, ObjectSiteId, PropertyId, VariableId,
};

/// Size and byte order of the machine the program was compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataModel {
    /// Width of a data pointer in bits.
    pub pointer_width: u32,
    /// Width of C's `int` in bits.
    pub int_width: u32,
    /// Width of C's `long` in bits.
    pub long_width: u32,
    /// True when the byte at the lowest address is the most significant.
    pub big_endian: bool,
    /// The LLVM target triple, as clang names it.
    pub triple: String,
}

impl DataModel {
    /// The largest size in bytes that an allocation may have: half the addresses, as no difference of
    /// pointers into the object could be told otherwise, and with 64 bits what processors can address.
    pub fn largest_allocation(&self) -> u64 {
        match self.pointer_width {
            ..=32 => (1 << (self.pointer_width - 1)) - 1,
            _ => (1 << 47) - 1,
        }
    }
}

/// The type of a scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An integer of this many bits, without sign.
    Int(u32),
    /// An IEEE float (or x86 extended).
    Float(FloatFormat),
    /// A pointer: an object (or function) and a byte offset into it.
    Pointer,
}

impl Type {
    /// The truth values.
    pub const BOOL: Type = Type::Int(1);
}

/// A place in a source file; line and column count from 1, 0 means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Position {
    /// Index into [`Program::files`].
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A source file as the compiler names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path as clang recorded it (directory joined where it was relative).
    pub path: String,
    /// True for the models of the C library that ship with Kripke.
    pub is_library_model: bool,
}

/// An expression: no side effects, no failure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// An integer literal.
    Int(BitVec),
    /// A float literal.
    Float(Float),
    /// The null pointer.
    Null,
    /// The address of a global object.
    GlobalAddress(GlobalId),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// The value of a variable of this function.
    Variable(VariableId),
    /// An operator with one operand; the result has the operand's type unless
    /// [`UnaryOp::result_type`] says otherwise.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands of the same type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Fused multiply-add of floats: `a * b + c`, rounded once.
    Fma(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A conversion to the given type.
    Cast(CastOp, Box<Expr>, Type),
    /// `condition ? then : else`; the condition is `Int(1)`.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `pointer + bytes`; the offset is a signed integer of pointer width.
    PointerAdd(Box<Expr>, Box<Expr>),
    /// The size in bytes of the object the pointer points into (pointer width; 0 for null,
    /// functions and raw addresses). Used by library models.
    ObjectSize(Box<Expr>),
    /// The byte offset of the pointer in its object (pointer width).
    PointerOffset(Box<Expr>),
    /// True when both pointers point into the same object.
    SameObject(Box<Expr>, Box<Expr>),
    /// Bits `high..=low` of an integer; the result has `high - low + 1` bits.
    Extract {
        /// Highest bit.
        high: u32,
        /// Lowest bit.
        low: u32,
        /// The integer.
        value: Box<Expr>,
    },
    /// The first integer above the second.
    Concat(Box<Expr>, Box<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise complement (logical not on `Int(1)`).
    Not,
    /// Two's complement negation.
    Neg,
    /// Number of one bits.
    PopCount,
    /// Number of leading zeros; the width for zero.
    LeadingZeros,
    /// Number of trailing zeros; the width for zero.
    TrailingZeros,
    /// Bytes in reverse order; the width is a multiple of 16.
    ByteSwap,
    /// Bits in reverse order.
    BitReverse,
    /// Float negation (flips the sign bit, of NaN too).
    FNeg,
    /// Float magnitude.
    FAbs,
    /// Square root in the current rounding mode.
    FSqrt,
    /// Round to integral in the given mode.
    FRound(RoundMode),
    /// Float class tests; result `Int(1)`.
    FIsNan,
    /// Is infinite.
    FIsInf,
    /// Is +0 or -0.
    FIsZero,
    /// Is normal.
    FIsNormal,
    /// Is subnormal.
    FIsSubnormal,
    /// The sign bit is set (of NaN too).
    FSignBit,
}

/// A rounding mode named in an operation; the dynamic one is the machine's current mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundMode {
    /// The mode that `fesetround` last set; nearest-even at program start.
    Dynamic,
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Toward zero.
    TowardZero,
    /// Toward plus infinity.
    Upward,
    /// Toward minus infinity.
    Downward,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of LLVM IR and say what they do")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Division and remainder: division by zero gives all ones, remainder the dividend (as
    /// SMT-LIB); front ends put an assertion before them.
    UDiv,
    SDiv,
    URem,
    SRem,
    /// Shifts: a distance of the width or more gives zero (sign bits for `AShr`).
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    /// True when the operation overflows in the operands' width; result `Int(1)`.
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
    UMin,
    UMax,
    SMin,
    SMax,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    /// Float arithmetic in the current rounding mode.
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's `fmod` (exact, sign of the dividend).
    FMod,
    /// IEEE remainder (C's `remainder`).
    FRem,
    /// C's `fmin`/`fmax`: the other operand when one is NaN. The sign of a zero result is unspecified when
    /// both are zeros: the first operand is taken when neither is less.
    FMin,
    FMax,
    /// Magnitude of the first, sign of the second.
    FCopySign,
    /// Ordered comparisons: false when an operand is NaN. Result `Int(1)`.
    FEq,
    FLt,
    FLe,
    /// Pointer comparisons: equality of object and offset (all nulls equal); order by address.
    PEq,
    PULt,
    PULe,
    /// Byte distance of two pointers, `a - b`, of pointer width (addresses subtracted when the
    /// objects differ).
    PDiff,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
    /// Integer to a wider one, zeros above.
    ZExt,
    /// Integer to a wider one, sign above.
    SExt,
    /// Integer to a narrower one.
    Trunc,
    /// Float to float in the current rounding mode.
    FToF,
    /// Float to signed integer, toward zero; out of range gives the target's minimum (x86).
    FToS,
    /// Float to unsigned integer, toward zero; out of range gives all ones (unspecified in C).
    FToU,
    /// Signed integer to float in the current rounding mode.
    SToF,
    /// Unsigned integer to float in the current rounding mode.
    UToF,
    /// The bits of an integer read as a float of the same size.
    BitsToFloat,
    /// The bits of a float; a NaN that arithmetic produced has the canonical pattern.
    FloatToBits,
    /// The address of a pointer as an integer of pointer width.
    PointerToInt,
    /// An integer of pointer width as a pointer: into the object whose address range holds it
    /// (one past the end included), else a raw address (memory-mapped register or invalid).
    IntToPointer,
}

/// How an access to memory is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct AccessChecks {
    /// Null, freed, outside the object, misaligned, not data, writing constant data. Where nobody checks it,
    /// a misaligned access goes on, and any other misuse leaves the run without a meaning.
    pub pointer: Option<PropertyId>,
    /// Reading bytes that were never written.
    pub uninitialised: Option<PropertyId>,
}

/// One C-like statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it comes from.
    pub position: Position,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's comment names its fields")]
pub enum StatementKind {
    /// `target = value`.
    Assign { target: VariableId, value: Expr },
    /// `target = *(T*)address`, where T is the variable's type.
    Load {
        target: VariableId,
        address: Expr,
        align: u32,
        volatile: bool,
        checks: AccessChecks,
    },
    /// `*(T*)address = value`, where T is `ty`.
    Store {
        address: Expr,
        value: Expr,
        ty: Type,
        align: u32,
        volatile: bool,
        checks: AccessChecks,
    },
    /// A new stack object that lives until the function returns, or its [`StatementKind::EndObject`]. Its
    /// bytes are uninitialised.
    StackObject {
        target: VariableId,
        size: Expr,
        site: ObjectSiteId,
    },
    /// The life of a stack object ends before its function returns, as that of a C block's variable does
    /// where the block is left. Nothing happens where the pointer is null or the object is dead already.
    EndObject { pointer: Expr },
    /// A new heap object (`malloc`). `size` has pointer width. `zeroed` as `calloc`.
    HeapObject {
        target: VariableId,
        size: Expr,
        zeroed: bool,
        site: ObjectSiteId,
    },
    /// `free(pointer)`; null is allowed. The property: not the start of a live heap object.
    Free {
        pointer: Expr,
        check: Option<PropertyId>,
    },
    /// `memcpy` (`overlap` false) or `memmove`; `length` in bytes, pointer width. Copies
    /// uninitialised bytes without complaint.
    CopyMemory {
        target: Expr,
        source: Expr,
        length: Expr,
        overlap: bool,
        checks: AccessChecks,
    },
    /// `memset`; `value` has 8 bits, `length` is in bytes of pointer width.
    SetMemory {
        target: Expr,
        value: Expr,
        length: Expr,
        checks: AccessChecks,
    },
    /// A call. `results` receive the callee's results (empty when they are not wanted).
    Call {
        results: Vec<VariableId>,
        callee: Callee,
        arguments: Vec<Expr>,
        check: Option<PropertyId>,
    },
    /// `target = *`: any value of the variable's type.
    Nondet {
        target: VariableId,
        source: NondetSource,
    },
    /// `target = function(arguments)`: what a C library gives for a function of analysis, which is the
    /// correctly rounded value or one near it ([`MathFunction::allows`]).
    Math {
        target: VariableId,
        function: MathFunction,
        arguments: Vec<Expr>,
    },
    /// Ends the path where the condition is false.
    Assume { condition: Expr },
    /// The property is violated where the condition is false; the path goes on where it is true.
    Assert { condition: Expr, property: PropertyId },
    /// `fesetround`: 0 nearest-even, 1 toward zero, 2 upward, 3 downward (`Int` of any width).
    SetRounding { mode: Expr },
    /// `target = fegetround()`, in the same numbering.
    GetRounding { target: VariableId },
    /// Program output. `format` points to a printf format (or the plain text for `puts`).
    Output {
        target: Option<VariableId>,
        function: OutputFunction,
        arguments: Vec<Expr>,
        argument_types: Vec<Type>,
    },
    /// The program ends here: checks for leaks apply to `Exit`, whose `status` is the exit code (C's `int`).
    Stop {
        reason: StopReason,
        status: Option<Expr>,
    },
    /// A construct the front end cannot express: the verdict is *unknown* if this is reached.
    Unsupported { what: String },
    /// Marks a source-level event for traces (a named variable comes to hold `value`).
    Note { variable: VariableId },
}

/// Whom a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A known function.
    Direct(FunctionId),
    /// Through a pointer; `check` of the call is violated when it is no function of this shape.
    Indirect(Expr),
}

/// Where a nondeterministic value comes from; printed in counterexamples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NondetSource {
    /// A program input: `__VERIFIER_nondet_int` and the like; the name is the function's.
    Input(String),
    /// The result (or an out-parameter) of a function that has no body and no model.
    External(String),
    /// A library result that the model only bounds (`sin`, `rand`, `getchar`, …).
    Library(String),
    /// A read of a memory-mapped register, or of a volatile object declared as an input.
    Device(String),
    /// An uninitialised value.
    Uninitialised,
}

/// Output functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFunction {
    /// `printf(format, …)`; `fprintf` to stdout or stderr too.
    Printf,
    /// `puts(text)`.
    Puts,
    /// `putchar(character)`.
    Putchar,
}

/// Why the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// `exit` or return from `main`.
    Exit,
    /// `abort`, `_Exit`, a failed assertion's end.
    Abort,
    /// All threads wait, and none can go on: nothing happens any more.
    Deadlock,
}

/// A variable of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique in its function; the C name where there is one, with a suffix when shadowed.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// What it is.
    pub kind: VariableKind,
    /// The C type, for printing.
    pub c_type: Option<CTypeId>,
    /// Where it was declared.
    pub position: Position,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// A parameter.
    Parameter,
    /// A C local (a promoted `alloca`); uninitialised until assigned.
    Local,
    /// A temporary of the translation; always assigned before it is read.
    Temporary,
}

/// A stack or heap allocation site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectSite {
    /// The C variable's name, or the allocating function's.
    pub name: String,
    /// The C type of the object where known (for a heap object: unknown).
    pub c_type: Option<CTypeId>,
    /// Alignment in bytes.
    pub align: u32,
    /// No run makes more than one object there, or nothing points to the last one when it makes another.
    pub once: bool,
    /// Where it is.
    pub position: Position,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Taken when this holds; evaluated before the statements.
    pub guard: Expr,
    /// Run in order.
    pub statements: Vec<Statement>,
    /// Entered afterwards.
    pub target: LocationId,
    /// Where the branch is in the source.
    pub position: Position,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Location {
    /// LLVM's label, for reading dumps.
    pub name: String,
    /// The transitions that leave it.
    pub transitions: Vec<Transition>,
    /// Where the code of this location begins.
    pub position: Position,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Linkage name, unique in the program (a static function that clashes gets a suffix).
    pub name: String,
    /// Its parameters, in order (struct arguments already split as the ABI says).
    pub parameters: Vec<VariableId>,
    /// The variables that hold the results at `exit`.
    pub results: Vec<VariableId>,
    /// All variables.
    pub variables: IdVec<VariableId, Variable>,
    /// All locations; empty for a function without a body (only its address is used).
    pub locations: IdVec<LocationId, Location>,
    /// Where it starts.
    pub entry: LocationId,
    /// Where it returns.
    pub exit: LocationId,
    /// Where it is defined.
    pub position: Position,
    /// True when calls pass a hidden last parameter: the pointer to the variable arguments.
    pub variadic: bool,
}

/// A piece of a global's initial contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialCell {
    /// Byte offset.
    pub offset: u64,
    /// Type of the value.
    pub ty: Type,
    /// A constant expression (literals, addresses, `PointerAdd`, casts of these).
    pub value: Expr,
}

/// How the bytes that no [`InitialCell`] covers start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialRest {
    /// Zero.
    Zero,
    /// Any value (an `extern` object defined elsewhere). A volatile read is one of a register.
    Nondet,
    /// Registers (an `extern volatile` object that no file defines): each read gives any value, and what is
    /// written is not read back.
    Registers,
}

/// How reports name a register in an object: with its distance from the object's start, where it is known.
pub fn register_name(global: &Global, offset: Option<u64>) -> String {
    let name = global.c_name.as_ref().unwrap_or(&global.name);
    match offset {
        None | Some(0) => name.clone(),
        Some(offset) => format!("{name}+{offset}"),
    }
}

/// What the names of globals begin with that are no part of the user's program: traces do not show them.
pub const HIDDEN_MEMORY: &str = "kripke.frame.";

/// A global object (static locals and string literals too).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Linkage name, unique in the program.
    pub name: String,
    /// The C name, where there is one.
    pub c_name: Option<String>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Initial values, by rising offset, not overlapping.
    pub cells: Vec<InitialCell>,
    /// Everything else.
    pub rest: InitialRest,
    /// Writing it is an error.
    pub constant: bool,
    /// Each thread has one of its own.
    pub thread_local: bool,
    /// The C type.
    pub c_type: Option<CTypeId>,
    /// Where it was declared.
    pub position: Position,
}

/// C types, only for printing and for finding members.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's comment names its fields")]
pub enum CType {
    /// `void` or unknown.
    Void,
    /// A base type; the size is in bits.
    Base {
        name: String,
        bits: u32,
        encoding: Encoding,
    },
    /// A pointer.
    Pointer { to: CTypeId },
    /// A struct (or union); offsets and sizes of members in bits.
    Record {
        name: String,
        union: bool,
        bytes: u64,
        members: Vec<Member>,
    },
    /// An array; `count` is 0 when it is unknown or variable.
    Array { element: CTypeId, count: u64 },
    /// An enumeration.
    Enum {
        name: String,
        bits: u32,
        signed: bool,
        values: Vec<(String, i128)>,
    },
    /// A name for another type.
    Typedef { name: String, of: CTypeId },
    /// `const`, `volatile`, `restrict` or `_Atomic`.
    Qualified { qualifier: String, of: CTypeId },
    /// A function type.
    Function,
}

impl IdVec<CTypeId, CType> {
    /// The type behind typedefs and qualifiers.
    pub fn plain(&self, mut id: CTypeId) -> CTypeId {
        // A chain longer than the table would be a cycle.
        for _ in 0..=self.len() {
            match self.get(id) {
                Some(CType::Typedef { of, .. } | CType::Qualified { of, .. }) => id = *of,
                _ => break,
            }
        }
        id
    }

    /// What the type behind typedefs and qualifiers is.
    pub fn content(&self, id: CTypeId) -> Option<&CType> {
        self.get(self.plain(id))
    }

    /// What pointers of a type point to.
    pub fn pointee(&self, id: CTypeId) -> Option<CTypeId> {
        match self.content(id)? {
            CType::Pointer { to } => Some(*to),
            _ => None,
        }
    }
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an unnamed one.
    pub name: String,
    /// Offset in bits.
    pub bit_offset: u64,
    /// Size in bits.
    pub bits: u64,
    /// True for a bit-field.
    pub bit_field: bool,
    /// Its type.
    pub c_type: CTypeId,
}

/// How a base type reads its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "C's own names")]
pub enum Encoding {
    Bool,
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Float,
}

/// A property as the front end found it; see `kripke_model::Property` for what users see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertySite {
    /// What is checked.
    pub kind: kripke_model::PropertyKind,
    /// For an assertion its text, else what could go wrong ("signed overflow in addition").
    pub description: String,
    /// Where.
    pub position: Position,
    /// In which function.
    pub function: FunctionId,
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The machine.
    pub data_model: DataModel,
    /// Sources.
    pub files: IdVec<FileId, SourceFile>,
    /// C types.
    pub c_types: IdVec<CTypeId, CType>,
    /// Global objects.
    pub globals: IdVec<GlobalId, Global>,
    /// Functions.
    pub functions: IdVec<FunctionId, Function>,
    /// Allocation sites.
    pub object_sites: IdVec<ObjectSiteId, ObjectSite>,
    /// Everything that is checked, in source order.
    pub properties: IdVec<PropertyId, PropertySite>,
    /// Where execution starts (`main`); its parameters are `argc`, `argv` as C allows, prepared by
    /// a start-up function that the front end writes when `main` takes parameters.
    pub entry: FunctionId,
    /// External functions without body or model that are called somewhere.
    pub external_functions: Vec<String>,
    /// What the front end took for granted beside the program; every verdict rests on it.
    pub assumptions: Vec<String>,
}
