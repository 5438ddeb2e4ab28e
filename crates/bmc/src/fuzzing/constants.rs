//! The numbers that a program compares its inputs with, most likely: those in its text.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use kripke_elts::{Expr, Program};
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

/// Numbers of any widths, to be had as ones of some width.
pub(crate) struct Constants {
    all: BTreeSet<BitVec>,
    of_width: RefCell<ByWidth>,
}

/// By width: those that have just so many bits, and all.
type ByWidth = FxHashMap<(u32, bool), Rc<[BitVec]>>;

impl Constants {
    pub fn new(all: BTreeSet<BitVec>) -> Self {
        Constants {
            all,
            of_width: RefCell::default(),
        }
    }

    /// The numbers in the program's text.
    pub fn of_program(program: &Program) -> Self {
        let mut all = BTreeSet::new();
        let mut visit = |expr: &Expr| {
            if let Expr::Int(bits) = expr {
                all.insert(bits.clone());
            }
        };
        program.each_expr(&mut |expr| expr.walk(&mut visit));
        let cells = program.globals.iter().flat_map(|global| &global.cells);
        cells.for_each(|cell| cell.value.walk(&mut visit));
        Constants::new(all)
    }

    /// They as numbers of so many bits, each once: those that have just so many, or all.
    pub fn fitting(&self, width: u32, only_own: bool) -> Rc<[BitVec]> {
        let mut of_width = self.of_width.borrow_mut();
        let known = of_width.entry((width, only_own)).or_insert_with(|| {
            let all = self.all.iter();
            let fitting = all.filter(|constant| !only_own || constant.width() == width);
            let fitting: BTreeSet<BitVec> = fitting.map(|constant| fitted(constant, width)).collect();
            fitting.into_iter().collect()
        });
        known.clone()
    }
}

/// The last bits of a number, or the number with zeros before it.
pub(super) fn fitted(number: &BitVec, width: u32) -> BitVec {
    match number.width() >= width {
        true => number.extract(width - 1, 0),
        false => number.zext(width),
    }
}
