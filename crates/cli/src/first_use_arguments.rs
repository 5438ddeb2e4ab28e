//! The options of the commands that help to begin: `explain`, `init`, `doctor`, `man`, `dap`, `lsp`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  kripke explain              everything that can be explained
  kripke explain data-race    what it means, a small program that has it, and its cure
  kripke explain bound        why a property is unknown, and what helps")]
pub struct ExplainArguments {
    /// A kind of property, a fault of firmware or a reason of unknown, as reports name it
    pub name: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Looks for compile_commands.json, firmware images (ELF), Makefiles, PlatformIO and Arduino projects, and C \
sources with their entry functions and interrupt handlers. The file that it writes says in comments what was \
found and what can be added. A file that is there already is never changed.")]
pub struct InitArguments {
    /// The folder to look at
    #[arg(value_name = "DIRECTORY", default_value = ".")]
    pub directory: PathBuf,
    /// Print the file instead of writing it
    #[arg(long)]
    pub print: bool,
}

#[derive(Args, Debug)]
pub struct DoctorArguments {
    /// The clang to look at; else the one that a check would use
    #[arg(long, value_name = "PATH", env = "KRIPKE_CLANG")]
    pub clang: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Editors start it by themselves, and talk to it on standard input and output; docs/editor.md says how they \
are set up.")]
pub struct LspArguments {}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Example:
  kripke man ~/.local/share/man/man1 && man kripke-check")]
pub struct ManArguments {
    /// The folder for the pages, one for each command; without it the page of kripke is printed
    #[arg(value_name = "DIRECTORY")]
    pub directory: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Editors start it by themselves; docs/editor.md says how they are set up. What is replayed (a JSON report, \
or a check to be made) is in the editor's launch configuration.")]
pub struct DapArguments {
    /// Listen on this port of the loopback address, instead of standard input; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}
