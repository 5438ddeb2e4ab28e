//! The options of `kripke serve`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  kripke serve                the project of this folder (kripke.toml)
  kripke serve examples/avr/window-lift
  kripke serve main.c         one file, without a kripke.toml
  kripke serve --port 8000 --no-open
      Always the same port, and only print the address.

The page is on the loopback address and for whoever opens the address that is printed: the token in it can \
be used once. Ctrl-C ends the server and its checks.")]
pub struct ServeArguments {
    /// A kripke.toml, a folder with one, a C source or a firmware; else the project of this folder
    #[arg(value_name = "PROJECT")]
    pub project: Option<PathBuf>,
    /// The port; else one that is free
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Print the address, but do not open a browser
    #[arg(long)]
    pub no_open: bool,
}
