//! The page itself, as the binary carries it.
//!
//! Idea: `crates/serve/page` is built by Vite into three files, which are kept in the repository, so that
//! building Kripke needs no Node. `make page` builds them anew.

/// A file of the page: its path, its type, what is in it.
pub struct Asset {
    pub path: &'static str,
    pub content_type: &'static str,
    pub bytes: &'static [u8],
}

/// The document; every address that is no other asset shows it.
pub const INDEX: Asset = Asset {
    path: "/",
    content_type: "text/html; charset=utf-8",
    bytes: include_bytes!("../assets/index.html"),
};

/// What the document loads.
pub const OTHERS: &[Asset] = &[
    Asset {
        path: "/assets/page.js",
        content_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/assets/page.js"),
    },
    Asset {
        path: "/assets/page.css",
        content_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/assets/page.css"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_there_and_small() {
        let all: Vec<usize> = OTHERS
            .iter()
            .chain([&INDEX])
            .map(|asset| asset.bytes.len())
            .collect();
        assert!(all.iter().all(|size| *size > 100), "{all:?}");
        assert!(all.iter().sum::<usize>() < 1_000_000, "{all:?}");
    }
}
