//! The compilers that the tests take: the oldest clang that the release has, from 14 on, and clang 19. Both are
//! what `scripts/install-packages test` installs.

use std::process::Command;
use std::sync::LazyLock;

/// Oldest first. The script installs the first that there is.
const OLD: [&str; 5] = ["clang-14", "clang-15", "clang-16", "clang-17", "clang-18"];

static OLDEST: LazyLock<&str> = LazyLock::new(|| {
    let runs = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    OLD.iter()
        .find(runs)
        .expect("the tests need a clang from 14 to 18 beside clang-19: make install-deps")
});

/// The oldest clang that is installed.
#[allow(dead_code, reason = "not every test asks for one compiler")]
pub fn oldest() -> &'static str {
    *OLDEST
}

/// The oldest and the newest.
#[allow(dead_code, reason = "not every test asks for both")]
pub fn both() -> [&'static str; 2] {
    [oldest(), "clang-19"]
}
