//! Names of functions in programs of several files.

/// What stands behind the name of a function where a run begins with it and looks at its contract first.
pub const AT_START: &str = ".entry";

/// How the name of the function begins that runs what comes before and after the one in which a program
/// starts.
pub const START: &str = "kripke.start";

/// The name of a function of one file as the user wrote it: where several files have one of that name, a
/// number stands behind the others.
pub fn name_in_its_file(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((plain, number)) if !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) => {
            plain
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::name_in_its_file;

    #[test]
    fn functions_of_several_files_have_one_name() {
        assert_eq!(name_in_its_file("unlock.2"), "unlock");
        for name in ["unlock", "unlock.", "un.lock", "unlock.2a"] {
            assert_eq!(name_in_its_file(name), name);
        }
    }
}
