//! C declarations from debug information: what a wrapper of a function says of its parameters and result.
//!
//! Invariant: a type that has no name to spell it by gives nothing, never another type.
//!
//! Source: DWARF 5, chapter 5; ISO C11, 6.7.6 for how declarators nest.

use crate::ir::{Metadata, MetadataField, Module};

/// How deep types are followed.
const DEPTH: usize = 64;

/// The declaration of `name` with the type of a node (none: `void`).
pub(super) fn declaration(module: &Module, node: Option<u32>, name: &str) -> Option<String> {
    declare(module, node, name.to_owned(), 0)
}

/// The declaration of a constant: the type without its own qualifiers, which are nothing to a caller.
pub(super) fn constant(module: &Module, mut node: Option<u32>, name: &str) -> Option<String> {
    for _ in 0..DEPTH {
        let qualified = node.and_then(|node| module.metadata.get(&node));
        let tag = qualified.and_then(|node| word(node, "tag")).unwrap_or_default();
        if ![
            "DW_TAG_const_type",
            "DW_TAG_volatile_type",
            "DW_TAG_restrict_type",
        ]
        .contains(&tag)
        {
            break;
        }
        node = qualified.and_then(|node| field(node, "baseType"));
    }
    declaration(module, node, &format!("const {name}"))
}

/// The constants of an enumeration.
pub(super) fn constants<'m>(module: &'m Module, node: &Metadata) -> Vec<&'m Metadata> {
    let elements = field(node, "elements").and_then(|elements| module.metadata.get(&elements));
    let Some(Metadata::Tuple(elements)) = elements else {
        return Vec::new();
    };
    let all = elements.iter().filter_map(|element| match element {
        MetadataField::Node(node) => module.metadata.get(node),
        _ => None,
    });
    all.filter(|node| node.kind() == "DIEnumerator").collect()
}

fn declare(module: &Module, node: Option<u32>, inner: String, depth: usize) -> Option<String> {
    let Some(node) = node else {
        return Some(format!("void {inner}"));
    };
    let node = module.metadata.get(&node).filter(|_| depth < DEPTH)?;
    let base = field(node, "baseType");
    let named = |keyword: &str| {
        let name = text(node, "name").filter(|name| !name.is_empty())?;
        Some(format!("{keyword}{name} {inner}"))
    };
    let of_base = |inner: String| declare(module, base, inner, depth + 1);
    match (node.kind(), word(node, "tag")?) {
        ("DIBasicType", _) | (_, "DW_TAG_typedef") => named(""),
        (_, "DW_TAG_pointer_type") => of_base(format!("(*{inner})")),
        (_, "DW_TAG_const_type") => of_base(format!("const {inner}")),
        (_, "DW_TAG_volatile_type") => of_base(format!("volatile {inner}")),
        (_, "DW_TAG_restrict_type") => of_base(format!("__restrict {inner}")),
        (_, "DW_TAG_structure_type") => named("struct "),
        (_, "DW_TAG_union_type") => named("union "),
        (_, "DW_TAG_enumeration_type") => named("enum "),
        (_, "DW_TAG_array_type") => {
            let mut inner = inner;
            for count in counts(module, node)? {
                inner.push_str(&format!("[{count}]"));
            }
            of_base(inner)
        }
        ("DISubroutineType", _) => {
            let types = signature(module, node)?;
            let (result, parameters) = types.split_first()?;
            let parameters = parameters
                .iter()
                .map(|ty| declare(module, *ty, String::new(), depth + 1));
            let parameters = parameters.collect::<Option<Vec<String>>>()?;
            let list = match parameters[..] {
                [] => "void".to_owned(),
                _ => parameters.join(", "),
            };
            declare(module, *result, format!("({inner})({list})"), depth + 1)
        }
        _ => None,
    }
}

/// The types of a `DISubroutineType`, that of the result first.
pub(super) fn signature(module: &Module, node: &Metadata) -> Option<Vec<Option<u32>>> {
    let types = field(node, "types").and_then(|types| module.metadata.get(&types))?;
    let Metadata::Tuple(types) = types else {
        return None;
    };
    let ty = |field: &MetadataField| match field {
        MetadataField::Node(node) => Some(Some(*node)),
        MetadataField::Null => Some(None),
        _ => None,
    };
    let types = types.iter().map(ty).collect::<Option<Vec<_>>>()?;
    // A null behind the result stands for `...`.
    let is_variadic = types.iter().skip(1).any(Option::is_none);
    (!is_variadic).then(|| if types.is_empty() { vec![None] } else { types })
}

/// How many elements each dimension of an array has.
fn counts(module: &Module, node: &Metadata) -> Option<Vec<i128>> {
    let elements = field(node, "elements").and_then(|elements| module.metadata.get(&elements))?;
    let Metadata::Tuple(elements) = elements else {
        return None;
    };
    let count = |element: &MetadataField| {
        let MetadataField::Node(range) = element else {
            return None;
        };
        match module.metadata.get(range)?.field("count")? {
            MetadataField::Int(count) if *count >= 0 => Some(*count),
            _ => None,
        }
    };
    elements.iter().map(count).collect()
}

/// The node that a field names.
pub(super) fn field(node: &Metadata, name: &str) -> Option<u32> {
    match node.field(name)? {
        MetadataField::Node(number) => Some(*number),
        _ => None,
    }
}

/// The text of a field.
pub(super) fn text<'m>(node: &'m Metadata, name: &str) -> Option<&'m str> {
    match node.field(name)? {
        MetadataField::String(text) => Some(text),
        _ => None,
    }
}

/// The tag of a node; nodes that are known by their kind have none.
fn word<'m>(node: &'m Metadata, name: &str) -> Option<&'m str> {
    match node.field(name) {
        Some(MetadataField::Word(word)) => Some(word),
        Some(_) => None,
        None => match node.kind() {
            "DIBasicType" | "DISubroutineType" => Some(""),
            // The default of the textual form.
            "DIDerivedType" | "DICompositeType" => None,
            _ => None,
        },
    }
}
