//! From files to a program: several sources, library models, compile databases, and bad input.

mod compilers;

use std::path::{Path, PathBuf};

use kripke_llvm::clang::{Clang, CompileOptions, Source};
use kripke_llvm::loader::{LoadOptions, linked_modules, load};
use kripke_llvm::{Error, compile_database};

/// Files in a directory of their own.
struct Files {
    directory: tempfile::TempDir,
}

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
            std::fs::write(path, text).expect("writable");
        }
        Files { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn sources(&self, names: &[&str]) -> Vec<Source> {
        names.iter().map(|name| Source::new(self.path(name))).collect()
    }
}

/// The names of the linked modules, the program's first, and the number of warnings.
fn check(files: &[(&str, &str)], options: &CompileOptions) -> Result<(Vec<String>, usize), Error> {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let (modules, warnings) = linked_modules(&Files::new(files).sources(&names), options)?;
    let name = |path: &str| {
        Path::new(path)
            .file_name()
            .map_or(path.into(), |name| name.to_string_lossy().into_owned())
    };
    Ok((
        modules
            .iter()
            .map(|module| name(&module.source_filename))
            .collect(),
        warnings.len(),
    ))
}

fn check_error(files: &[(&str, &str)], expected: &str) {
    let error = check(files, &CompileOptions::default())
        .expect_err(expected)
        .to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn several_files_and_their_models() {
    let files = [
        ("main.c", "int twice(int); int main(void) { return twice(2); }"),
        (
            "twice.c",
            "#include <string.h>\nint twice(int x) { char t[4]; strcpy(t, \"abc\"); return 2 * x + \
             (int)strlen(t); }",
        ),
        ("third.ll", "declare i32 @twice(i64)"),
    ];
    let (modules, warnings) = check(&files[..2], &CompileOptions::default()).expect("it links");
    assert_eq!(
        (&modules[..2], warnings),
        (&["main.c".to_owned(), "twice.c".to_owned()][..], 0)
    );
    assert!(modules[2..].contains(&"string.c".to_owned()), "{modules:?}");
    let error = check(&files, &CompileOptions::default())
        .expect_err("no data layout")
        .to_string();
    assert!(error.contains("compile all files for one target"), "{error}");
}

#[test]
fn own_definitions_come_first() {
    let text = "unsigned long strlen(const char *s) { return s != 0; } int main(void) { return \
        (int)strlen(\"abc\"); }";
    let (modules, _) = check(&[("main.c", text)], &CompileOptions::default()).expect("it links");
    assert_eq!(modules, ["main.c"]);
}

#[test]
fn options_reach_the_compiler() {
    let text = "#include \"x.h\"\n#ifdef GONE\n#error\n#endif\nint main(void) { return HERE + FORCED; }";
    let files = Files::new(&[
        ("a.c", text),
        ("inc/x.h", "int f(void);"),
        ("forced.h", "#define FORCED 1\n#define GONE"),
    ]);
    let options = CompileOptions {
        include_directories: vec![files.path("inc")],
        defines: vec!["HERE=4".to_owned()],
        undefines: vec!["GONE".to_owned()],
        standard: Some("c99".to_owned()),
        forced_includes: vec![files.path("forced.h")],
        arguments: vec!["-Wall".to_owned(), "-UGONE".to_owned()],
        ..CompileOptions::default()
    };
    let error = linked_modules(&files.sources(&["a.c"]), &options).map(|_| ());
    assert!(
        matches!(error, Err(Error::Compile { .. })),
        "the forced header defines GONE: {error:?}"
    );
    std::fs::write(files.path("forced.h"), "#define FORCED 1").expect("writable");
    linked_modules(&files.sources(&["a.c"]), &options).expect("it compiles");
}

#[test]
fn bad_input() {
    check_error(&[("bad.c", "int main( { }")], "does not compile");
    check_error(&[("a.cpp", "")], "this is C++");
    check_error(
        &[("a.ll", "define i32 @f() {\n")],
        "a.ll:2:1: cannot read this LLVM IR",
    );
    check_error(
        &[
            ("a.c", "int main(void) { return 0; }"),
            ("b.c", "int main(void) { return 0; }"),
        ],
        "defined in both",
    );
    let missing = linked_modules(&[Source::new("no/such/file.c")], &CompileOptions::default());
    let missing = missing.expect_err("it is missing").to_string();
    assert!(missing.starts_with("cannot read no/such/file.c"), "{missing}");
    let nothing = linked_modules(&[], &CompileOptions::default()).expect_err("no source");
    assert!(matches!(nothing, Error::Option { .. }));
}

#[test]
fn wrong_compilers() {
    let files = Files::new(&[
        ("a.c", "int main(void) { return 0; }"),
        ("old.sh", "#!/bin/sh\necho 'clang version 9.0.1'; exit 1\n"),
    ]);
    let script = files.path("old.sh");
    let mut permissions = std::fs::metadata(&script).expect("it is there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&script, permissions).expect("it is ours");
    for (clang, expected) in [
        (PathBuf::from("no-such-clang"), "there is no program"),
        (PathBuf::from("true"), "does not say that it is clang"),
        (PathBuf::from("false"), "does not say that it is clang"),
        (script, "is version 9; Kripke needs clang 14 or newer"),
    ] {
        let options = CompileOptions {
            clang: Some(clang),
            ..CompileOptions::default()
        };
        let error = linked_modules(&files.sources(&["a.c"]), &options)
            .expect_err(expected)
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn compile_databases() {
    let files = Files::new(&[
        (
            "src/main.c",
            "#include \"twice.h\"\nint main(void) { return twice(FACTOR); }",
        ),
        (
            "src/twice.c",
            "#include \"twice.h\"\nint twice(int x) { return 2 * x; }",
        ),
        ("include/twice.h", "int twice(int);"),
        (
            "build/compile_commands.json",
            r#"[{"directory": "../build", "file": "../src/main.c",
                 "command": "gcc -I../include -DFACTOR=\"(1 + 2)\" -O2 -Werror -fno-such-gcc-option -o main.o -c ../src/main.c"},
                {"directory": "../build", "file": "../src/twice.c",
                 "arguments": ["gcc", "-I", "../include", "-MD", "-MF", "x.d", "-c", "../src/twice.c"]}]"#,
        ),
    ]);
    let database = compile_database::read(&files.path("build"), &[]).expect("well formed");
    let (modules, _) = linked_modules(&database.sources, &CompileOptions::default()).expect("it compiles");
    assert_eq!(modules.len(), 2);
    let missing = compile_database::read(&files.path("none.json"), &[]).expect_err("it is missing");
    assert!(matches!(missing, Error::Read { .. }));
}

#[test]
fn programs_are_loaded() {
    let files = Files::new(&[
        (
            "main.c",
            "#include <assert.h>\nint twice(int); int main(void) { assert(twice(2) == 4); return 0; }",
        ),
        ("twice.c", "int twice(int x) { return 2 * x; }"),
    ]);
    for clang in compilers::both() {
        if Clang::find(Some(Path::new(clang))).is_err() {
            continue;
        }
        let options = LoadOptions {
            sources: files.sources(&["main.c", "twice.c"]),
            compile: CompileOptions {
                clang: Some(PathBuf::from(clang)),
                ..CompileOptions::default()
            },
            ..LoadOptions::default()
        };
        let loaded = load(&options).expect("it loads");
        let names: Vec<&str> = loaded
            .program
            .functions
            .iter()
            .map(|function| function.name.as_str())
            .collect();
        assert!(names.contains(&"main") && names.contains(&"twice"), "{names:?}");
        assert_eq!(loaded.warnings, [""; 0]);
    }
}
