//! What is checked: collecting properties, and the functions whose call is one.
//!
//! Idea: clang's sanitizer handlers and the assertion functions of the C libraries are tables here; the
//! translation of branches asks whether a block does nothing but report a failure, and
//! then asserts the branch condition instead of branching.
//!
//! Invariant: in the finished program properties stand in source order, those of the program before those
//! of library models; equal ones (same function, kind, text and position) are one.

use kripke_elts::{AccessChecks, FunctionId, Id, Position, Program, PropertyId, PropertySite, StatementKind};
use kripke_model::PropertyKind;
use rustc_hash::FxHashMap;

/// The properties found so far.
#[derive(Debug, Default)]
pub struct Properties {
    sites: Vec<PropertySite>,
    known: FxHashMap<(FunctionId, PropertyKind, Position, String), PropertyId>,
}

impl Properties {
    /// The id of a property.
    pub fn add(
        &mut self,
        function: FunctionId,
        kind: PropertyKind,
        position: Position,
        description: String,
    ) -> PropertyId {
        let sites = &mut self.sites;
        let key = (function, kind, position, description);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = PropertyId::new(sites.len());
        sites.push(PropertySite {
            kind,
            description: key.3.clone(),
            position,
            function,
        });
        self.known.insert(key, id);
        id
    }

    /// Puts the properties into the program in source order and renumbers its statements.
    pub fn install(self, program: &mut Program) {
        let mut order: Vec<usize> = (0..self.sites.len()).collect();
        order.sort_by_key(|&index| {
            let site = &self.sites[index];
            let file = program.files.get(site.position.file);
            let is_library = file.is_some_and(|file| file.is_library_model);
            (
                is_library,
                site.position.file,
                site.position.line,
                site.position.column,
                index,
            )
        });
        let mut renumbered = vec![PropertyId::new(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            renumbered[*old] = PropertyId::new(new);
        }
        for old in order {
            program.properties.push(self.sites[old].clone());
        }
        let statements = program.functions.iter_mut().flat_map(|function| {
            let transitions = function
                .locations
                .iter_mut()
                .flat_map(|location| &mut location.transitions);
            transitions.flat_map(|transition| &mut transition.statements)
        });
        for statement in statements {
            renumber(&mut statement.kind, &renumbered);
        }
    }
}

fn renumber(kind: &mut StatementKind, renumbered: &[PropertyId]) {
    let change = |id: &mut PropertyId| *id = renumbered[id.index()];
    let change_access = |checks: &mut AccessChecks| {
        checks.pointer.iter_mut().for_each(change);
        checks.uninitialised.iter_mut().for_each(change);
    };
    match kind {
        StatementKind::Load { checks, .. }
        | StatementKind::Store { checks, .. }
        | StatementKind::CopyMemory { checks, .. }
        | StatementKind::SetMemory { checks, .. } => change_access(checks),
        StatementKind::Free { check, .. } | StatementKind::Call { check, .. } => {
            check.iter_mut().for_each(change);
        }
        StatementKind::Assert { property, .. } => change(property),
        _ => {}
    }
}

/// What clang's sanitizer handler of this name reports; none for other functions.
pub fn sanitizer_failure(function: &str) -> Option<(PropertyKind, &'static str)> {
    let name = function.strip_prefix("__ubsan_handle_")?;
    let name = name.strip_suffix("_abort").unwrap_or(name);
    let name = name.strip_suffix("_minimal").unwrap_or(name);
    Some(match name {
        "add_overflow" => (PropertyKind::Overflow, "signed overflow in addition"),
        "sub_overflow" => (PropertyKind::Overflow, "signed overflow in subtraction"),
        "mul_overflow" => (PropertyKind::Overflow, "signed overflow in multiplication"),
        "negate_overflow" => (PropertyKind::Overflow, "signed overflow in negation"),
        "divrem_overflow" => (
            PropertyKind::DivisionByZero,
            "division by zero, or of the smallest value by -1",
        ),
        "shift_out_of_bounds" => (
            PropertyKind::Shift,
            "shift by a negative or too large distance, or of a value that does not allow it",
        ),
        "out_of_bounds" | "local_out_of_bounds" => (PropertyKind::Bounds, "array index out of bounds"),
        "builtin_unreachable" => (PropertyKind::Unreachable, "code marked unreachable is reached"),
        "missing_return" => (
            PropertyKind::MissingReturn,
            "the end of a value-returning function is reached",
        ),
        "vla_bound_not_positive" => (
            PropertyKind::VlaBound,
            "variable length array of no or negative size",
        ),
        "float_cast_overflow" => (
            PropertyKind::FloatCast,
            "float value out of range of the integer type",
        ),
        "implicit_conversion" => (PropertyKind::Overflow, "implicit conversion changes the value"),
        "load_invalid_value" => (PropertyKind::Uninitialised, "value that the type does not have"),
        "type_mismatch" | "type_mismatch_v1" | "alignment_assumption" | "pointer_overflow" => {
            (PropertyKind::Pointer, "invalid pointer")
        }
        "function_type_mismatch" | "function_type_mismatch_v1" => (
            PropertyKind::FunctionPointer,
            "call of a function through a pointer of another type",
        ),
        "invalid_builtin" => (
            PropertyKind::LibraryContract,
            "zero passed to a bit-counting builtin",
        ),
        "nonnull_arg" | "nullability_arg" => (
            PropertyKind::LibraryContract,
            "null passed where it is not allowed",
        ),
        "nonnull_return" | "nonnull_return_v1" | "nullability_return_v1" => (
            PropertyKind::LibraryContract,
            "null returned where it is not allowed",
        ),
        _ => (PropertyKind::Unreachable, "undefined behaviour"),
    })
}

/// For a function that reports a failed assertion and does not return: which argument holds the text.
pub fn assertion_text_argument(function: &str, arguments: usize) -> Option<Option<usize>> {
    Some(match function {
        "__assert_fail" | "_assert" | "__aeabi_assert" | "_wassert" => Some(0),
        "__assert" if arguments == 4 => Some(3),
        "__assert" => Some(0),
        "__assert_func" | "__assert_rtn" | "__assert2" | "__assert13" => Some(3),
        "__assert_perror_fail" => None,
        "reach_error" | "__VERIFIER_error" => None,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handler_names_with_and_without_suffix() {
        for name in [
            "__ubsan_handle_add_overflow",
            "__ubsan_handle_add_overflow_abort",
            "__ubsan_handle_add_overflow_minimal",
            "__ubsan_handle_add_overflow_minimal_abort",
        ] {
            let kind = sanitizer_failure(name).map(|failure| failure.0);
            assert_eq!(kind, Some(PropertyKind::Overflow), "{name}");
        }
        assert_eq!(sanitizer_failure("add_overflow"), None);
    }
}
