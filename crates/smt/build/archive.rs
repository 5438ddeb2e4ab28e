//! One archive of many, by the script language of `ar` (binutils; LLVM's understands it too).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the solver needs beside itself: the name of the library and whether the program cannot do without its
/// archive, as the solver was compiled for a static one.
const NEEDED: [(&str, bool); 3] = [("cadical", true), ("gmp", false), ("stdc++", false)];

/// Joins the archives of the solver and those it needs to `libbitwuzla.a` in the directory, and tells cargo.
pub fn join(solver: &[PathBuf], directory: &Path) -> Result<(), String> {
    let mut archives = solver.to_vec();
    let mut shared = Vec::new();
    for (name, is_required) in NEEDED {
        match find(name) {
            Some(path) => archives.push(path),
            None if is_required => {
                return Err(format!(
                    "lib{name}.a is not found: install lib{name}-dev, or say in CADICAL_LIB_DIR where it is"
                ));
            }
            None => shared.push(name),
        }
    }
    std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    write(&archives, directory)?;
    println!("cargo:rustc-link-search=native={}", directory.display());
    for name in shared {
        println!("cargo:rustc-link-lib={name}");
    }
    Ok(())
}

/// The script has no way to quote a name, so what it names stands in the directory it runs in.
fn write(archives: &[PathBuf], directory: &Path) -> Result<(), String> {
    let mut script = String::from("CREATE libbitwuzla.a\n");
    for (index, archive) in archives.iter().enumerate() {
        let name = format!("part{index}.a");
        std::fs::copy(archive, directory.join(&name))
            .map_err(|error| format!("{}: {error}", archive.display()))?;
        script.push_str(&format!("ADDLIB {name}\n"));
    }
    script.push_str("SAVE\nEND\n");
    let ar = std::env::var_os("AR").unwrap_or_else(|| "ar".into());
    let cannot = |error| format!("`ar` cannot join the solver's archives: {error}");
    let mut process = Command::new(ar)
        .arg("-M")
        .current_dir(directory)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    if let Some(mut input) = process.stdin.take() {
        input.write_all(script.as_bytes()).map_err(cannot)?;
    }
    let status = process.wait().map_err(cannot)?;
    for index in 0..archives.len() {
        // What stays costs room and nothing else.
        let _ = std::fs::remove_file(directory.join(format!("part{index}.a")));
    }
    let is_there = directory.join("libbitwuzla.a").is_file();
    if status.success() && is_there {
        Ok(())
    } else {
        Err(format!("`ar` ended with {status}"))
    }
}

/// Asks the C++ compiler where it would take the archive from.
fn find(name: &str) -> Option<PathBuf> {
    let file = format!("lib{name}.a");
    if let Some(directory) = std::env::var_os("CADICAL_LIB_DIR")
        && name == "cadical"
    {
        return Some(Path::new(&directory).join(file));
    }
    // The variable may hold several words: a wrapper such as ccache, options.
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut words = compiler.split_whitespace();
    let output = Command::new(words.next()?)
        .args(words)
        .arg(format!("-print-file-name={file}"))
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    // A compiler that knows no such file prints its bare name.
    path.is_absolute().then_some(path)
}
