//! From clang's debug metadata to names, positions and C types.
//!
//! Idea: one [`DebugInfo`] reads one module; what it finds goes into [`SourceTables`], which all modules
//! of a program share. Types may refer to themselves (`struct list { struct list *next; }`), so a type
//! gets its id before its content is known, and a work list fills the contents: no recursion, however
//! deep the metadata is nested.
//!
//! Invariant: metadata never changes what a program means. A node that is missing, of an unexpected
//! kind or cyclic gives "unknown" (no name, line 0, [`CType::Void`]), not an error.
//!
//! Source: LLVM language reference, "Specialized Metadata Nodes"; DWARF 5, chapter 5.

use rustc_hash::FxHashMap;

use kripke_elts::{CType, CTypeId, Encoding, FileId, IdVec, Member, Position, SourceFile};

use crate::contracts::functions;
use crate::ir::{Metadata, MetadataField, Module};

/// How far a chain of scopes is followed to its file.
const SCOPE_DEPTH_LIMIT: usize = 4096;

/// The files and C types of a program, shared by its modules.
#[derive(Clone, Debug)]
pub struct SourceTables {
    /// File 0 is the first module's source, which positions of unknown origin name.
    pub files: IdVec<FileId, SourceFile>,
    /// The types.
    pub c_types: IdVec<CTypeId, CType>,
    void: CTypeId,
    file_ids: FxHashMap<String, FileId>,
    bases: FxHashMap<(String, u32), CTypeId>,
}

impl SourceTables {
    /// Tables with one file.
    pub fn new(first_file: &str) -> Self {
        let mut c_types = IdVec::new();
        let void = c_types.push(CType::Void);
        let mut tables = SourceTables {
            files: IdVec::new(),
            c_types,
            void,
            file_ids: FxHashMap::default(),
            bases: FxHashMap::default(),
        };
        tables.file(first_file, false);
        tables
    }

    /// Tables whose file 0 is the source of this module.
    pub fn for_module(module: &Module) -> Self {
        let debug = DebugInfo::new(module);
        let units = module.named_metadata.get("llvm.dbg.cu").into_iter().flatten();
        let file = units
            .filter_map(|&unit| debug.node_field(debug.node(unit)?, "file"))
            .next();
        let path = file.map_or_else(|| module.source_filename.clone(), |file| debug.path_of(file));
        let mut tables = SourceTables::new(&path);
        tables.files[FileId::default()].is_library_model = module.is_library_model;
        tables
    }

    /// The type `void`, also used where a type is unknown.
    pub fn void(&self) -> CTypeId {
        self.void
    }

    /// The id of the file with this path.
    pub fn file(&mut self, path: &str, is_library_model: bool) -> FileId {
        if let Some(&id) = self.file_ids.get(path) {
            return id;
        }
        let id = self.files.push(SourceFile {
            path: path.to_owned(),
            is_library_model: is_library_model || path.contains(functions::FILE),
        });
        self.file_ids.insert(path.to_owned(), id);
        id
    }

    /// The base type of this name and width.
    pub fn base(&mut self, name: &str, bits: u32, encoding: Encoding) -> CTypeId {
        let c_types = &mut self.c_types;
        *self.bases.entry((name.to_owned(), bits)).or_insert_with(|| {
            c_types.push(CType::Base {
                name: name.to_owned(),
                bits,
                encoding,
            })
        })
    }
}

/// A local variable or parameter, from its `DILocalVariable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// The C name.
    pub name: String,
    /// Its type.
    pub c_type: CTypeId,
    /// Where it is declared.
    pub position: Position,
    /// The parameter's number from 1; none for a local.
    pub argument: Option<u32>,
    /// Made by the compiler (the hidden size of a variable length array).
    pub artificial: bool,
}

/// A global variable, from its `DIGlobalVariableExpression`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalVariable {
    /// The C name; empty for a string literal.
    pub name: String,
    /// Its type.
    pub c_type: CTypeId,
    /// Where it is declared.
    pub position: Position,
    /// For a static local, the function it belongs to.
    pub function: Option<String>,
}

/// A function, from its `DISubprogram`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The C name.
    pub name: String,
    /// Where its name stands (column unknown).
    pub position: Position,
    /// The result's type.
    pub result: CTypeId,
    /// The parameters' types, without `...`.
    pub parameters: Vec<CTypeId>,
}

/// The debug information of one module.
#[derive(Debug)]
pub struct DebugInfo<'m> {
    module: &'m Module,
    types: FxHashMap<u32, CTypeId>,
    pending: Vec<(u32, CTypeId)>,
    scope_files: FxHashMap<u32, FileId>,
}

impl<'m> DebugInfo<'m> {
    /// Reads this module's metadata on demand.
    pub fn new(module: &'m Module) -> Self {
        DebugInfo {
            module,
            types: FxHashMap::default(),
            pending: Vec::new(),
            scope_files: FxHashMap::default(),
        }
    }

    /// The position that a `!dbg` attachment of an instruction names: where the code is written, also
    /// when it was inlined elsewhere. Without one, line 0.
    pub fn position(&mut self, location: Option<u32>, tables: &mut SourceTables) -> Position {
        let Some(node) = location.and_then(|number| self.node(number)) else {
            return Position::default();
        };
        Position {
            file: self.file_of(node, tables),
            line: number_field(node, "line"),
            column: number_field(node, "column"),
        }
    }

    /// The same as text, for messages: path, line, column.
    pub fn place(&mut self, location: Option<u32>, tables: &mut SourceTables) -> (String, u32, u32) {
        let position = self.position(location, tables);
        let path = tables.files.get(position.file).map(|file| file.path.clone());
        (path.unwrap_or_default(), position.line, position.column)
    }

    /// The variable of a `DebugDeclare` or `DebugValue`.
    pub fn local_variable(&mut self, node: u32, tables: &mut SourceTables) -> Option<LocalVariable> {
        let metadata = self.node(node)?;
        if metadata.kind() != "DILocalVariable" {
            return None;
        }
        let argument = number_field(metadata, "arg");
        Some(LocalVariable {
            name: string_field(metadata, "name"),
            c_type: self.type_field(metadata, "type", tables),
            position: self.declaration(metadata, tables),
            argument: (argument > 0).then_some(argument),
            artificial: has_flag(metadata, "DIFlagArtificial"),
        })
    }

    /// The scope that a location in this function's own code, a declaration or another scope is in.
    pub fn scope(&self, number: u32) -> Option<u32> {
        let metadata = self.node(number)?;
        match (metadata.field("scope"), metadata.field("inlinedAt")) {
            (Some(MetadataField::Node(scope)), None) => Some(*scope),
            _ => None,
        }
    }

    /// Is the scope a block of a function?
    pub fn is_block(&self, scope: u32) -> bool {
        self.node(scope)
            .is_some_and(|node| matches!(node.kind(), "DILexicalBlock" | "DILexicalBlockFile"))
    }

    /// Is a scope another one, or inside it?
    pub fn is_inside(&self, scope: u32, outer: u32) -> bool {
        let mut at = Some(scope);
        for _ in 0..SCOPE_DEPTH_LIMIT {
            match at {
                Some(number) if number == outer => return true,
                Some(number) => at = self.scope(number),
                None => break,
            }
        }
        false
    }

    /// The variable of a global's `!dbg` attachments.
    pub fn global(&mut self, attachments: &[u32], tables: &mut SourceTables) -> Option<GlobalVariable> {
        let variable = attachments.iter().find_map(|&number| {
            let node = self.node(number)?;
            match node.kind() {
                "DIGlobalVariable" => Some(node),
                "DIGlobalVariableExpression" => self.node_field(node, "var"),
                _ => None,
            }
        })?;
        let function = self
            .node_field(variable, "scope")
            .and_then(|scope| self.function_of(scope));
        Some(GlobalVariable {
            name: string_field(variable, "name"),
            c_type: self.type_field(variable, "type", tables),
            position: self.declaration(variable, tables),
            function: function.map(|node| string_field(node, "name")),
        })
    }

    /// The function of a definition's `!dbg` attachment.
    pub fn function(&mut self, attachment: Option<u32>, tables: &mut SourceTables) -> Option<Function> {
        let node = self.node(attachment?)?;
        if node.kind() != "DISubprogram" {
            return None;
        }
        let mut types = self.signature(node, tables).into_iter();
        Some(Function {
            name: string_field(node, "name"),
            position: self.declaration(node, tables),
            result: types.next().unwrap_or(tables.void),
            parameters: types.collect(),
        })
    }

    /// The C type that a type node describes.
    pub fn c_type(&mut self, node: u32, tables: &mut SourceTables) -> CTypeId {
        let id = self.type_id(node, tables);
        while let Some((node, id)) = self.pending.pop() {
            if let Some(metadata) = self.node(node) {
                let content = self.type_content(metadata, tables);
                tables.c_types[id] = content;
            }
        }
        id
    }

    fn node(&self, number: u32) -> Option<&'m Metadata> {
        self.module.metadata.get(&number)
    }

    fn node_field(&self, metadata: &'m Metadata, name: &str) -> Option<&'m Metadata> {
        match metadata.field(name)? {
            MetadataField::Node(number) => self.node(*number),
            MetadataField::Inline(inline) => Some(inline),
            _ => None,
        }
    }

    fn declaration(&mut self, metadata: &'m Metadata, tables: &mut SourceTables) -> Position {
        Position {
            file: self.file_of(metadata, tables),
            line: number_field(metadata, "line"),
            column: 0,
        }
    }

    /// The file of a location, scope or declaration: its own, or that of the nearest scope with one.
    fn file_of(&mut self, metadata: &'m Metadata, tables: &mut SourceTables) -> FileId {
        let scope_number = match metadata.field("scope") {
            Some(MetadataField::Node(number)) if metadata.field("file").is_none() => Some(*number),
            _ => None,
        };
        if let Some(file) = scope_number.and_then(|number| self.scope_files.get(&number)) {
            return *file;
        }
        let mut at = metadata;
        for _ in 0..SCOPE_DEPTH_LIMIT {
            let file = if at.kind() == "DIFile" {
                Some(at)
            } else {
                self.node_field(at, "file")
            };
            if let Some(file) = file {
                let id = tables.file(&self.path_of(file), self.module.is_library_model);
                if let Some(number) = scope_number {
                    self.scope_files.insert(number, id);
                }
                return id;
            }
            match self.node_field(at, "scope") {
                Some(scope) => at = scope,
                None => break,
            }
        }
        FileId::default()
    }

    /// The path of a `DIFile`, joined with its directory. A model of the C library has no directory.
    fn path_of(&self, file: &Metadata) -> String {
        let name = string_field(file, "filename");
        if self.module.is_library_model {
            return format!("{}/{name}", kripke_model::Place::LIBRARY);
        }
        let directory = string_field(file, "directory");
        if directory.is_empty() || name.starts_with('/') || name.starts_with('<') {
            return name;
        }
        let name = name.strip_prefix("./").unwrap_or(&name);
        format!("{}/{name}", directory.trim_end_matches('/'))
    }

    fn function_of(&self, scope: &'m Metadata) -> Option<&'m Metadata> {
        let mut at = scope;
        for _ in 0..SCOPE_DEPTH_LIMIT {
            if at.kind() == "DISubprogram" {
                return Some(at);
            }
            at = self.node_field(at, "scope")?;
        }
        None
    }

    /// The result's type, then the parameters'.
    fn signature(&mut self, subprogram: &'m Metadata, tables: &mut SourceTables) -> Vec<CTypeId> {
        let types = self
            .node_field(subprogram, "type")
            .and_then(|subroutine| self.node_field(subroutine, "types"));
        let Some(Metadata::Tuple(types)) = types else {
            return Vec::new();
        };
        // A null after the first place stands for `...`.
        let variadic = types.len() > 1 && types.last() == Some(&MetadataField::Null);
        let count = types.len() - usize::from(variadic);
        types[..count]
            .iter()
            .map(|field| match field {
                MetadataField::Node(number) => self.c_type(*number, tables),
                _ => tables.void,
            })
            .collect()
    }

    /// The id of a type node, whose content may still be pending.
    fn type_id(&mut self, node: u32, tables: &mut SourceTables) -> CTypeId {
        if let Some(&id) = self.types.get(&node) {
            return id;
        }
        let id = match self.node(node) {
            None => tables.void,
            Some(metadata) => match base_type(metadata) {
                Some((name, bits, encoding)) => tables.base(&name, bits, encoding),
                None => {
                    let id = tables.c_types.push(CType::Void);
                    self.pending.push((node, id));
                    id
                }
            },
        };
        self.types.insert(node, id);
        id
    }

    fn type_id_field(&mut self, metadata: &Metadata, name: &str, tables: &mut SourceTables) -> CTypeId {
        match metadata.field(name) {
            Some(MetadataField::Node(number)) => self.type_id(*number, tables),
            _ => tables.void,
        }
    }

    fn type_field(&mut self, metadata: &Metadata, name: &str, tables: &mut SourceTables) -> CTypeId {
        match metadata.field(name) {
            Some(MetadataField::Node(number)) => self.c_type(*number, tables),
            _ => tables.void,
        }
    }

    fn type_content(&mut self, metadata: &'m Metadata, tables: &mut SourceTables) -> CType {
        match (metadata.kind(), word_field(metadata, "tag")) {
            ("DIBasicType", _) => complex_type(metadata, tables),
            ("DISubroutineType", _) => CType::Function,
            ("DIDerivedType", tag) => self.derived_type(metadata, tag, tables),
            ("DICompositeType", "DW_TAG_array_type") => self.array_type(metadata, tables),
            ("DICompositeType", "DW_TAG_enumeration_type") => self.enumeration_type(metadata),
            ("DICompositeType", tag) => self.record_type(metadata, tag == "DW_TAG_union_type", tables),
            _ => CType::Void,
        }
    }

    fn derived_type(&mut self, metadata: &Metadata, tag: &str, tables: &mut SourceTables) -> CType {
        let of = self.type_id_field(metadata, "baseType", tables);
        let qualifier = match tag {
            "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type" => {
                return CType::Pointer { to: of };
            }
            "DW_TAG_const_type" => "const",
            "DW_TAG_volatile_type" => "volatile",
            "DW_TAG_restrict_type" => "restrict",
            "DW_TAG_atomic_type" => "_Atomic",
            _ => {
                let name = string_field(metadata, "name");
                return CType::Typedef { name, of };
            }
        };
        CType::Qualified {
            qualifier: qualifier.to_owned(),
            of,
        }
    }

    fn array_type(&mut self, metadata: &'m Metadata, tables: &mut SourceTables) -> CType {
        let mut element = self.type_id_field(metadata, "baseType", tables);
        let mut counts: Vec<u64> = match self.node_field(metadata, "elements") {
            Some(Metadata::Tuple(fields)) => fields.iter().map(|field| self.subrange_count(field)).collect(),
            _ => Vec::new(),
        };
        let outermost = if counts.is_empty() { 0 } else { counts.remove(0) };
        for count in counts.into_iter().rev() {
            element = tables.c_types.push(CType::Array { element, count });
        }
        CType::Array {
            element,
            count: outermost,
        }
    }

    /// How many elements a dimension has; 0 where that is unknown or decided at run time.
    fn subrange_count(&self, field: &'m MetadataField) -> u64 {
        let subrange = match field {
            MetadataField::Node(number) => self.node(*number),
            MetadataField::Inline(inline) => Some(&**inline),
            _ => None,
        };
        let integer = |name| match subrange.and_then(|node| node.field(name)) {
            Some(MetadataField::Int(value)) => Some(*value),
            _ => None,
        };
        let count = integer("count").or_else(|| {
            let upper = integer("upperBound")?;
            upper
                .checked_sub(integer("lowerBound").unwrap_or(0))?
                .checked_add(1)
        });
        count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0)
    }

    fn enumeration_type(&self, metadata: &'m Metadata) -> CType {
        let mut values = Vec::new();
        let mut signed = false;
        if let Some(Metadata::Tuple(fields)) = self.node_field(metadata, "elements") {
            for field in fields {
                let enumerator = match field {
                    MetadataField::Node(number) => self.node(*number),
                    MetadataField::Inline(inline) => Some(&**inline),
                    _ => None,
                };
                let Some(enumerator) = enumerator else { continue };
                if let Some(MetadataField::Int(value)) = enumerator.field("value") {
                    signed |= *value < 0;
                    values.push((string_field(enumerator, "name"), *value));
                }
            }
        }
        if let Some((_, _, encoding)) = self.node_field(metadata, "baseType").and_then(base_type) {
            signed = matches!(encoding, Encoding::Signed | Encoding::SignedChar);
        }
        CType::Enum {
            name: string_field(metadata, "name"),
            bits: number_field(metadata, "size"),
            signed,
            values,
        }
    }

    fn record_type(&mut self, metadata: &'m Metadata, union: bool, tables: &mut SourceTables) -> CType {
        let mut members = Vec::new();
        if let Some(Metadata::Tuple(fields)) = self.node_field(metadata, "elements") {
            for field in fields {
                let MetadataField::Node(number) = field else {
                    continue;
                };
                let Some(member) = self.node(*number) else {
                    continue;
                };
                if word_field(member, "tag") != "DW_TAG_member" {
                    continue;
                }
                members.push(Member {
                    name: string_field(member, "name"),
                    bit_offset: integer_field(member, "offset"),
                    bits: integer_field(member, "size"),
                    bit_field: has_flag(member, "DIFlagBitField"),
                    c_type: self.type_id_field(member, "baseType", tables),
                });
            }
        }
        CType::Record {
            name: string_field(metadata, "name"),
            union,
            bytes: integer_field(metadata, "size") / 8,
            members,
        }
    }
}

/// Name, width and encoding of a base type; none for other nodes and for complex numbers.
fn base_type(metadata: &Metadata) -> Option<(String, u32, Encoding)> {
    if metadata.kind() != "DIBasicType" {
        return None;
    }
    let encoding = match word_field(metadata, "encoding") {
        "DW_ATE_boolean" => Encoding::Bool,
        "DW_ATE_float" => Encoding::Float,
        "DW_ATE_signed" => Encoding::Signed,
        "DW_ATE_signed_char" => Encoding::SignedChar,
        "DW_ATE_unsigned_char" => Encoding::UnsignedChar,
        "DW_ATE_complex_float" | "DW_ATE_lo_user" => return None,
        _ => Encoding::Unsigned,
    };
    Some((
        string_field(metadata, "name"),
        number_field(metadata, "size"),
        encoding,
    ))
}

/// `double _Complex` is shown as a record of its two parts.
fn complex_type(metadata: &Metadata, tables: &mut SourceTables) -> CType {
    let bits = number_field(metadata, "size") / 2;
    let encoding = if word_field(metadata, "encoding") == "DW_ATE_complex_float" {
        Encoding::Float
    } else {
        Encoding::Signed
    };
    let part_name = match (encoding, bits) {
        (Encoding::Float, 32) => "float",
        (Encoding::Float, 64) => "double",
        (Encoding::Float, _) => "long double",
        _ => "int",
    };
    let part = tables.base(part_name, bits, encoding);
    let member = |name: &str, bit_offset: u32| Member {
        name: name.to_owned(),
        bit_offset: u64::from(bit_offset),
        bits: u64::from(bits),
        bit_field: false,
        c_type: part,
    };
    CType::Record {
        name: format!("_Complex {part_name}"),
        union: false,
        bytes: u64::from(bits) / 4,
        members: vec![member("real", 0), member("imag", bits)],
    }
}

fn string_field(metadata: &Metadata, name: &str) -> String {
    match metadata.field(name) {
        Some(MetadataField::String(text)) => text.to_string(),
        _ => String::new(),
    }
}

fn word_field<'m>(metadata: &'m Metadata, name: &str) -> &'m str {
    match metadata.field(name) {
        Some(MetadataField::Word(word)) => word,
        _ => "",
    }
}

fn integer_field(metadata: &Metadata, name: &str) -> u64 {
    match metadata.field(name) {
        Some(MetadataField::Int(value)) => u64::try_from(*value).unwrap_or(0),
        _ => 0,
    }
}

fn number_field(metadata: &Metadata, name: &str) -> u32 {
    u32::try_from(integer_field(metadata, name)).unwrap_or(0)
}

fn has_flag(metadata: &Metadata, flag: &str) -> bool {
    word_field(metadata, "flags")
        .split('|')
        .any(|word| word.trim() == flag)
}
