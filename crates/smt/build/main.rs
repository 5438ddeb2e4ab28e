//! Builds the embedded solver, Bitwuzla, and says how it is linked.
//!
//! The sources are those that the package `bitwuzla-sys` carries beside its declarations. That package can
//! build them too (its feature `vendor-cadical`), but its script takes what it needs from the environment:
//! pkg-config files for SymFPU and GMP, and a macro without which formats such as the 80 bits of x87 are left
//! out. Only a `.cargo/config.toml` could set them, which holds for one workspace: whoever depends on this
//! crate from another, or installs it from there, would have to write the same. So this script does that
//! work, with an environment of its own, and asks nothing of the user's; what the user has set goes before.
//!
//! Everything ends up in one archive, `libbitwuzla.a`, the name that `bitwuzla-sys` links: the solver,
//! CaDiCaL, GMP and the C++ runtime, so that the order of libraries matters to no linker, and the program
//! needs none of them where it runs. Archives that are not there are linked as shared libraries instead.
//!
//! Nothing is downloaded: `--wrap-mode=nodownload` keeps Meson from fetching what the system lacks.

mod archive;
mod sources;

use std::path::{Path, PathBuf};
use std::process::Command;

/// What of the solver's build goes into the archive.
const LIBRARIES: [&str; 4] = [
    "src/libbitwuzla.a",
    "src/lib/libbitwuzlabb.a",
    "src/lib/libbitwuzlals.a",
    "src/lib/libbitwuzlabv.a",
];

fn main() {
    println!("cargo:rerun-if-changed=build");
    for variable in [
        "BITWUZLA_SOURCE_DIR",
        "CADICAL_LIB_DIR",
        "PKG_CONFIG_PATH",
        "CXX",
        "CXXFLAGS",
        "AR",
    ] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    println!("cargo:rerun-if-env-changed=RUSTC_WORKSPACE_WRAPPER");
    if is_for_clippy() {
        return;
    }
    if let Err(reason) = build() {
        // Cargo shows what a failed script has written, under this script's name.
        eprintln!("error: the embedded solver cannot be built: {reason}");
        std::process::exit(1);
    }
}

/// Clippy links nothing: it needs no solver, whose build takes longer than all its lints.
fn is_for_clippy() -> bool {
    let wrapper = std::env::var_os("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    Path::new(&wrapper)
        .file_stem()
        .is_some_and(|name| name == "clippy-driver")
}

fn build() -> Result<(), String> {
    let directory = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let sources = sources::find(&directory)?;
    println!("cargo:rerun-if-changed={}", sources.join("meson.build").display());
    let objects = directory.join("solver");
    configure(&sources, &objects)?;
    compile(&objects)?;
    let built = LIBRARIES.map(|library| objects.join(library));
    archive::join(&built, &directory.join("lib"))
}

/// Where nothing else was configured before, as cargo keeps the directory from one run of this script to the
/// next.
fn configure(sources: &Path, objects: &Path) -> Result<(), String> {
    let mut meson = Command::new("meson");
    meson.arg("setup").arg(objects).arg(sources);
    if objects.join("meson-private/coredata.dat").exists() {
        meson.arg("--wipe");
    }
    meson.args([
        "--wrap-mode=nodownload",
        "--buildtype=release",
        "-Dfpexp=true",
        "-Dtesting=disabled",
    ]);
    meson.env("PKG_CONFIG_PATH", pkg_config_path());
    run(
        &mut meson,
        "it needs meson, ninja, pkg-config, python3, g++, m4, and the libraries GMP, CaDiCaL and SymFPU: on \
         Debian and Ubuntu\n    apt-get install meson ninja-build pkg-config python3 g++ m4 libgmp-dev \
         libcadical-dev libsymfpu-dev",
    )
}

/// The user's own directories, then ours.
fn pkg_config_path() -> std::ffi::OsString {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/pkgconfig");
    let theirs = std::env::var_os("PKG_CONFIG_PATH").unwrap_or_default();
    let directories = std::env::split_paths(&theirs).filter(|path| !path.as_os_str().is_empty());
    // Only a directory with a colon in its name cannot be joined; then ours are needed least.
    std::env::join_paths(directories.chain([ours])).unwrap_or(theirs)
}

fn compile(objects: &Path) -> Result<(), String> {
    let mut meson = Command::new("meson");
    meson.arg("compile").arg("-C").arg(objects);
    if let Ok(jobs) = std::env::var("NUM_JOBS") {
        meson.args(["-j", &jobs]);
    }
    meson.args([
        "bitwuzla:static_library",
        "bitwuzlabb",
        "bitwuzlals",
        "bitwuzlabv",
    ]);
    run(&mut meson, "what the compiler said stands above")
}

/// Runs a command whose output goes where cargo keeps it. Cargo's own pipe of jobs is not for ninja.
fn run(command: &mut Command, remedy: &str) -> Result<(), String> {
    command.env_remove("MAKEFLAGS");
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{name}` ended with {status}; {remedy}")),
        Err(error) => Err(format!("`{name}` cannot be run ({error}); {remedy}")),
    }
}
