//! The abstract syntax of textual LLVM IR, as far as clang emits it for C at `-O0`.
//!
//! Idea: a faithful, untyped-by-us copy of the text: the parser decides nothing about meaning. Typed
//! pointers (clang 14) and opaque ones (15 on) both become [`Type::Pointer`]; every instruction
//! that needs a pointee type carries it explicitly, as opaque-pointer IR does.
//!
//! Invariant: whatever the parser does not know becomes [`InstructionKind::Unknown`] with its
//! text (or an error with line and column where the text cannot be split into instructions at
//! all), so that only a path that reaches it makes a verdict *unknown*.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `iN`.
    Int(u32),
    /// `half`.
    Half,
    /// `bfloat`.
    BFloat,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `x86_fp80`.
    X86Fp80,
    /// `fp128`.
    Fp128,
    /// `ptr` or `T*`, with its address space.
    Pointer(u32),
    /// `[n x T]`.
    Array(u64, Arc<Type>),
    /// `<n x T>`.
    Vector(u64, Arc<Type>),
    /// `{ … }`, or `<{ … }>` when packed.
    Struct {
        /// The members.
        members: Arc<[Type]>,
        /// True without padding.
        packed: bool,
    },
    /// `%name`, looked up in [`Module::types`].
    Named(Arc<str>),
    /// A function type.
    Function(Arc<FunctionType>),
    /// `label`, `metadata`, `token`, `opaque` and others that no value we translate has.
    Other(Arc<str>),
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: Type,
    /// The fixed parameters.
    pub parameters: Vec<Type>,
    /// True with `...`.
    pub variadic: bool,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Decimal digits with an optional sign; `true` and `false` are 1 and 0.
    Int(Arc<str>),
    /// A float literal exactly as written: `1.0e+00`, `0x3FB99999A0000000`, `0xK…`, `0xH…`, `0xL…`.
    Float(Arc<str>),
    /// `null`.
    Null,
    /// `undef`.
    Undef,
    /// `poison`.
    Poison,
    /// `zeroinitializer`.
    Zero,
    /// `@name`: the address of a global, function or alias.
    Global(Arc<str>),
    /// `c"…"`, decoded.
    Bytes(Arc<[u8]>),
    /// Struct, array or vector elements with their types.
    Aggregate(Vec<(Type, Constant)>),
    /// `blockaddress(@f, %l)`: computed goto.
    BlockAddress,
    /// A constant expression: the same instruction forms as in code.
    Expression(Box<ConstantExpression>),
}

impl Constant {
    /// The global that an address is computed from.
    pub fn global(&self) -> Option<&Arc<str>> {
        match self {
            Constant::Global(name) => Some(name),
            Constant::Expression(expression) => match &**expression {
                ConstantExpression::Cast { value, .. } => value.global(),
                ConstantExpression::GetElementPointer { base, .. } => base.1.global(),
                _ => None,
            },
            _ => None,
        }
    }

    /// A string: the bytes up to its terminator.
    pub fn text(&self) -> Option<String> {
        match self {
            Constant::Bytes(bytes) => {
                let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
            }
            Constant::Zero => Some(String::new()),
            _ => None,
        }
    }
}

/// A constant expression.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of the LLVM language reference")]
pub enum ConstantExpression {
    /// `bitcast (T c to U)` and the other casts.
    Cast {
        op: CastOp,
        from: Type,
        value: Constant,
        to: Type,
    },
    /// `getelementptr inbounds (T, ptr c, …)`.
    GetElementPointer {
        element: Type,
        base: (Type, Constant),
        indices: Vec<(Type, Constant)>,
    },
    /// `add (…)`, `sub (…)`, ….
    Binary {
        op: BinaryOp,
        ty: Type,
        left: Constant,
        right: Constant,
    },
    /// `icmp pred (…)`, `fcmp pred (…)`.
    Compare {
        predicate: Predicate,
        ty: Type,
        left: Constant,
        right: Constant,
    },
    /// `select (…)`.
    Select {
        condition: Constant,
        ty: Type,
        then: Constant,
        otherwise: Constant,
    },
    /// Anything else, by its text.
    Unknown(String),
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `%name` or `%7` (without the sign).
    Local(Arc<str>),
    /// A constant.
    Constant(Constant),
    /// `metadata …` as an argument, by its text.
    Metadata(MetadataOperand),
    /// `asm …`: inline assembly as a callee.
    InlineAssembly(Arc<str>),
}

/// A metadata operand of a call such as `llvm.dbg.declare`.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataOperand {
    /// `!7`.
    Node(u32),
    /// `metadata ptr %x`: a value wrapped.
    Value(Type, Box<Value>),
    /// `!"round.tonearest"`.
    String(Arc<str>),
    /// `!DIExpression(…)`, as text.
    Expression(Arc<str>),
}

/// A typed operand.
pub type TypedValue = (Type, Value);

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

/// Predicates of `icmp` and `fcmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names; F… are those of fcmp")]
pub enum Predicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
    FFalse,
    FOeq,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
    FTrue,
}

/// An argument of a call with the attributes that change its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its type.
    pub ty: Type,
    /// The value.
    pub value: Value,
    /// `byval(T)`: the callee gets a copy.
    pub byval: Option<Type>,
    /// `sret(T)`.
    pub sret: Option<Type>,
    /// `zeroext` or `signext` (true when signed).
    pub extend: Option<bool>,
    /// `align N`.
    pub align: Option<u32>,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Value,
    /// The call's result type.
    pub result: Type,
    /// The function type where the call spells it (always for variadic ones).
    pub function_type: Option<Arc<FunctionType>>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The operand bundles of `llvm.assume`: what is assumed, and of what.
    pub bundles: Vec<(Arc<str>, Vec<Argument>)>,
}

/// What an instruction promises; where it does not keep the promise, its result is poison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// `nuw`.
    NoUnsignedWrap,
    /// `nsw`.
    NoSignedWrap,
    /// `exact`.
    Exact,
    /// `disjoint`.
    Disjoint,
    /// `nneg`.
    NonNegative,
    /// `samesign`.
    SameSign,
    /// `nnan`, and part of `fast`.
    NoNan,
    /// `ninf`, and part of `fast`.
    NoInfinity,
    /// `reassoc`, `contract`, `arcp`, `afn`, `nsz`, and part of `fast`: the result may be one of several.
    Inexact,
    /// `!range !N`: the loaded value is in these ranges.
    Range(u32),
    /// `!nonnull !{}`.
    NonNull,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `%name =`, without the sign.
    pub result: Option<Arc<str>>,
    /// What it does.
    pub kind: InstructionKind,
    /// What it promises.
    pub flags: Vec<Flag>,
    /// `!dbg !N`.
    pub debug: Option<u32>,
    /// Line in the textual IR, for messages.
    pub line: u32,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of the LLVM language reference")]
pub enum InstructionKind {
    Alloca {
        ty: Type,
        count: Option<TypedValue>,
        align: Option<u32>,
    },
    Load {
        ty: Type,
        pointer: Value,
        align: Option<u32>,
        volatile: bool,
        atomic: bool,
    },
    Store {
        ty: Type,
        value: Value,
        pointer: Value,
        align: Option<u32>,
        volatile: bool,
        atomic: bool,
    },
    GetElementPointer {
        element: Type,
        base: TypedValue,
        indices: Vec<TypedValue>,
        inbounds: bool,
    },
    Binary {
        op: BinaryOp,
        ty: Type,
        left: Value,
        right: Value,
    },
    FNeg {
        ty: Type,
        value: Value,
    },
    Cast {
        op: CastOp,
        from: Type,
        value: Value,
        to: Type,
    },
    Compare {
        predicate: Predicate,
        ty: Type,
        left: Value,
        right: Value,
    },
    Select {
        condition: TypedValue,
        then: TypedValue,
        otherwise: TypedValue,
    },
    Phi {
        ty: Type,
        incoming: Vec<(Value, Arc<str>)>,
    },
    ExtractValue {
        aggregate: TypedValue,
        path: Vec<u32>,
    },
    InsertValue {
        aggregate: TypedValue,
        value: TypedValue,
        path: Vec<u32>,
    },
    ExtractElement {
        vector: TypedValue,
        index: TypedValue,
    },
    InsertElement {
        vector: TypedValue,
        value: TypedValue,
        index: TypedValue,
    },
    ShuffleVector {
        left: TypedValue,
        right: TypedValue,
        mask: TypedValue,
    },
    Freeze {
        ty: Type,
        value: Value,
    },
    VaArg {
        list: TypedValue,
        ty: Type,
    },
    Call(Call),
    AtomicRmw {
        op: Arc<str>,
        pointer: TypedValue,
        value: TypedValue,
        volatile: bool,
    },
    CompareExchange {
        pointer: TypedValue,
        expected: TypedValue,
        new: TypedValue,
        volatile: bool,
        weak: bool,
    },
    Fence,
    /// `#dbg_declare(ptr %x, !N, …)` or the call of `llvm.dbg.declare`.
    /// With `indirect` (`DIExpression(DW_OP_deref)`), `address` holds the variable's address instead of
    /// being it. Records with other expressions are dropped.
    DebugDeclare {
        address: Value,
        variable: u32,
        indirect: bool,
    },
    /// `#dbg_value` or the call of `llvm.dbg.value`, with an empty expression.
    DebugValue {
        value: TypedValue,
        variable: u32,
    },
    Return(Option<TypedValue>),
    Branch {
        target: Arc<str>,
    },
    ConditionalBranch {
        condition: Value,
        then: Arc<str>,
        otherwise: Arc<str>,
    },
    Switch {
        value: TypedValue,
        default: Arc<str>,
        cases: Vec<(Constant, Arc<str>)>,
    },
    Unreachable,
    /// `indirectbr`, `callbr`, `invoke` and everything not listed; the text is kept.
    Unknown {
        opcode: Arc<str>,
        text: String,
        terminator: bool,
    },
}

/// A basic block; the last instruction is its terminator.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Label without `%` (numbered blocks too).
    pub label: Arc<str>,
    /// Instructions.
    pub instructions: Vec<Instruction>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name without `%` (a number where it has none).
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// `byval(T)`.
    pub byval: Option<Type>,
    /// `sret(T)`.
    pub sret: Option<Type>,
}

/// How a symbol is seen by the linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum Linkage {
    External,
    Internal,
    Private,
    Weak,
    LinkOnce,
    Common,
    AvailableExternally,
    ExternWeak,
    Appending,
}

/// A function definition or declaration (no blocks).
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name without `@`.
    pub name: Arc<str>,
    /// Linkage.
    pub linkage: Linkage,
    /// Result type.
    pub result: Type,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Ends with `...`.
    pub variadic: bool,
    /// Empty for a declaration.
    pub blocks: Vec<Block>,
    /// `!dbg !N`: its DISubprogram.
    pub debug: Option<u32>,
    /// Function attributes that matter: `noreturn`, and those of the group it names.
    pub attributes: Vec<Arc<str>>,
    /// `section "name"`.
    pub section: Option<Arc<str>>,
    /// Line in the textual IR.
    pub line: u32,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalVariable {
    /// Name without `@`.
    pub name: Arc<str>,
    /// Linkage.
    pub linkage: Linkage,
    /// `constant` rather than `global`.
    pub constant: bool,
    /// `thread_local`.
    pub thread_local: bool,
    /// Type of the contents.
    pub ty: Type,
    /// Initial value; none for a declaration.
    pub initializer: Option<Constant>,
    /// Alignment.
    pub align: Option<u32>,
    /// `section "name"`, or that of its attributes (`#pragma clang section`).
    pub section: Option<Arc<str>>,
    /// `!dbg !N` (a DIGlobalVariableExpression).
    pub debug: Vec<u32>,
    /// Line in the textual IR.
    pub line: u32,
}

/// An alias `@a = alias T, ptr @b`.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// Name without `@`.
    pub name: Arc<str>,
    /// Linkage.
    pub linkage: Linkage,
    /// What it stands for.
    pub target: Constant,
    /// True for an ifunc: the target is a function that returns the one to call.
    pub is_ifunc: bool,
}

/// A metadata node.
#[derive(Clone, Debug, PartialEq)]
pub enum Metadata {
    /// `!{!1, null, i32 5, !"text"}`.
    Tuple(Vec<MetadataField>),
    /// `!DILocation(line: 1, …)`: kind without `!`, and fields by name, in order. The operands of a
    /// `!DIExpression(…)` have empty names. See [`Metadata::field`].
    Specialised {
        /// `DILocation`.
        kind: Arc<str>,
        /// The fields.
        fields: Vec<(Arc<str>, MetadataField)>,
    },
}

impl Metadata {
    /// The kind of a specialised node; empty for a tuple.
    pub fn kind(&self) -> &str {
        match self {
            Metadata::Tuple(_) => "",
            Metadata::Specialised { kind, .. } => kind,
        }
    }

    /// The field of that name of a specialised node.
    pub fn field(&self, name: &str) -> Option<&MetadataField> {
        match self {
            Metadata::Tuple(_) => None,
            Metadata::Specialised { fields, .. } => fields
                .iter()
                .find(|(key, _)| &**key == name)
                .map(|(_, value)| value),
        }
    }
}

/// A field of a metadata node.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataField {
    /// `!7`.
    Node(u32),
    /// `"text"` or `!"text"`, decoded.
    String(Arc<str>),
    /// An integer.
    Int(i128),
    /// `null`.
    Null,
    /// A bare word or flags: `DW_TAG_member`, `DIFlagPrototyped | DIFlagAllCallsDescribed`, `true`.
    Word(Arc<str>),
    /// A node written in place.
    Inline(Box<Metadata>),
    /// A typed constant, `i32 5` or `ptr @g`.
    Value(Type, Box<Value>),
}

/// A call in a condition (of a contract, of an invariant) whose callee another module may define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// Who is called.
    pub name: Arc<str>,
    /// The file, the line and the column of the condition.
    pub place: (String, u32, u32),
    /// What users call the condition.
    pub condition: String,
}

/// A module: one translation unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// `source_filename`.
    pub source_filename: String,
    /// `target datalayout`.
    pub data_layout: String,
    /// `target triple`.
    pub triple: String,
    /// `module asm` lines.
    pub module_assembly: Vec<String>,
    /// Named types; an opaque one maps to `Type::Other("opaque")`.
    pub types: FxHashMap<Arc<str>, Type>,
    /// Globals in order.
    pub globals: Vec<GlobalVariable>,
    /// Functions in order.
    pub functions: Vec<Function>,
    /// Aliases (and ifuncs).
    pub aliases: Vec<Alias>,
    /// Numbered metadata.
    pub metadata: FxHashMap<u32, Metadata>,
    /// Named metadata: `!llvm.dbg.cu = !{!0}`.
    pub named_metadata: FxHashMap<Arc<str>, Vec<u32>>,
    /// Functions whose conditions (of contracts, of invariants) have loops or recursion in them.
    pub unbounded_conditions: FxHashSet<Arc<str>>,
    /// The functions that its conditions call and that may be others than the module itself lets one see.
    pub open_calls: Vec<OpenCall>,
    /// True for one of Kripke's own models of the C library.
    pub is_library_model: bool,
    /// True for LLVM IR that the user gives: nothing in it checks what C leaves undefined.
    pub is_given_as_ir: bool,
    /// The attributes of parameters, results and calls in it whose breach is undefined or poison.
    pub promises: BTreeSet<Arc<str>>,
}
