//! The source text behind a report.
//!
//! Idea: reports quote source lines, but only the command line does input and output; it hands
//! in a loader. Each file is loaded once. A file that cannot be read is simply not quoted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

type Loader<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

/// Source files, loaded when first quoted.
pub struct Sources<'a> {
    load: Loader<'a>,
    base: String,
    files: RefCell<HashMap<String, Option<Vec<String>>>>,
}

impl<'a> Sources<'a> {
    /// Sources from `load`; paths below the directory `base` are shown relative to it.
    pub fn new(base: &str, load: impl Fn(&str) -> Option<String> + 'a) -> Sources<'a> {
        Sources {
            load: Box::new(load),
            base: base.to_string(),
            files: RefCell::default(),
        }
    }

    /// No source text at all.
    pub fn none() -> Sources<'static> {
        Sources::new("", |_| None)
    }

    /// The text of a line, counted from 1, with tabs made spaces.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let index = line.checked_sub(1)? as usize;
        self.with_lines(file, |lines| lines.get(index).cloned())
    }

    /// How many lines a file has.
    pub(crate) fn line_count(&self, file: &str) -> Option<usize> {
        self.with_lines(file, |lines| Some(lines.len()))
    }

    fn with_lines<R>(&self, file: &str, look: impl FnOnce(&[String]) -> Option<R>) -> Option<R> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_string()).or_insert_with(|| {
            let text = (self.load)(file)?;
            Some(text.lines().map(str::to_string).collect())
        });
        look(lines.as_ref()?)
    }

    /// The path as it is shown.
    pub fn display<'f>(&self, file: &'f str) -> &'f str {
        if self.base.is_empty() {
            return file;
        }
        match Path::new(file).strip_prefix(&self.base) {
            Ok(relative) => relative.to_str().unwrap_or(file),
            Err(_) => file,
        }
    }
}
