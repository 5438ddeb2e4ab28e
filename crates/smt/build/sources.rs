//! Where the solver's sources are: in the package `bitwuzla-sys`, beside its declarations.
//!
//! Cargo tells no build script where another package was unpacked, unless that package's own script does. So
//! cargo is asked: for a package that depends on nothing but this one, below the output directory, where the
//! configuration of whoever builds is in force (mirrors, vendored packages). `--offline`, because the package
//! is there already: this crate depends on it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The package and its version, which `Cargo.toml` of the workspace fixes too.
const PACKAGE: &str = "bitwuzla-sys";
const VERSION: &str = "=0.8.0";

/// Where the sources are; `BITWUZLA_SOURCE_DIR` takes others.
pub fn find(directory: &Path) -> Result<PathBuf, String> {
    let sources = match std::env::var_os("BITWUZLA_SOURCE_DIR") {
        Some(path) => PathBuf::from(path),
        None => ask_cargo(directory)
            .map_err(|reason| format!("{reason}; BITWUZLA_SOURCE_DIR can say where its sources are"))?,
    };
    if sources.join("meson.build").is_file() {
        Ok(sources)
    } else {
        Err(format!("{} has no sources of the solver", sources.display()))
    }
}

fn ask_cargo(directory: &Path) -> Result<PathBuf, String> {
    let asking = directory.join("asking");
    let manifest = asking.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"asking\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\npath = \"nothing.rs\"\n\n\
         [dependencies]\n{PACKAGE} = \"{VERSION}\"\n\n[workspace]\n"
    );
    std::fs::create_dir_all(&asking)
        .and_then(|()| std::fs::write(&manifest, text))
        .and_then(|()| std::fs::write(asking.join("nothing.rs"), ""))
        .map_err(|error| format!("{}: {error}", asking.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--offline",
            "--format-version",
            "1",
            "--manifest-path",
        ])
        .arg(&manifest)
        .current_dir(&asking)
        .output()
        .map_err(|error| format!("cargo cannot be asked for {PACKAGE}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo does not say where {PACKAGE} is: {}", said.trim()));
    }
    let metadata = String::from_utf8_lossy(&output.stdout);
    let manifest = manifest_of_package(&metadata);
    let manifest = manifest.ok_or_else(|| format!("cargo knows no package {PACKAGE}"))?;
    Ok(manifest.with_file_name("bitwuzla"))
}

/// The path of the package's manifest in what `cargo metadata` prints. No reader of JSON: this script would
/// be another one, and the solver be built anew, wherever a build chooses other features of that.
fn manifest_of_package(metadata: &str) -> Option<PathBuf> {
    let paths = metadata.split("\"manifest_path\":\"").skip(1);
    let mut paths = paths.filter_map(|text| Some(PathBuf::from(text.split_once('"')?.0)));
    paths.find(|path| {
        let folder = path.parent().and_then(Path::file_name);
        folder.is_some_and(|name| name.to_string_lossy().starts_with(PACKAGE))
    })
}
