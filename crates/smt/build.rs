//! Links what the embedded solver needs and its own build script leaves out: the SAT solver CaDiCaL
//! (statically, from the Debian package `libcadical-dev`) and the C++ runtime.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CADICAL_LIB_DIR");
    let directory = std::env::var("CADICAL_LIB_DIR").ok().or_else(find_cadical);
    if let Some(directory) = directory {
        println!("cargo:rustc-link-search=native={directory}");
    } else {
        println!("cargo:warning=libcadical.a not found: install libcadical-dev or set CADICAL_LIB_DIR");
    }
    println!("cargo:rustc-link-lib=static=cadical");
    println!("cargo:rustc-link-lib=stdc++");
}

/// Asks the C compiler where it would take the archive from.
fn find_cadical() -> Option<String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = std::process::Command::new(compiler)
        .arg("-print-file-name=libcadical.a")
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    let path = std::path::Path::new(path.trim());
    path.is_absolute()
        .then(|| path.parent()?.to_str().map(str::to_owned))?
}
