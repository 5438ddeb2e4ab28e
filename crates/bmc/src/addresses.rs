//! Where objects lie.
//!
//! Idea: an object has no address until the program looks at one: casts it to an integer, compares it with a
//! pointer to something else, or orders it. Then it gets a variable, of which is assumed only what every
//! machine grants ([`Engine::address_facts`]): aligned; apart from every object that lives at the same time,
//! though it may begin where another ends; away from both ends of the address space and from code. The
//! addresses of dead objects are used again.
//!
//! Invariant: the facts hold on every machine for which the verdict is meant; what they exclude beyond that
//! stands in `docs/limits.md`. Nothing else may confine an address: an integer from outside may be any of
//! them.
//!
//! Source: C11 6.2.4 (lifetimes), 6.5.8 and 6.5.9 (comparison); the flat addresses of "PNVI-ae-udi" (N2676).

use kripke_elts::{BinaryOp, Expr, FunctionId, Id, Program};
use kripke_smt::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::object::{Lives, ObjectId, ObjectKind, Turn};
use crate::record::Cut;
use crate::state::State;

/// No object lies closer than this to either end of the address space, so that a pointer which the program
/// moves a little past its object does not wrap around.
pub(crate) fn margin(program: &Program) -> u64 {
    let width = program.data_model.pointer_width.clamp(8, 64);
    // The interpreter's objects keep to the larger ones too.
    let (least, most) = match width {
        ..=16 => (1 << 4, 1 << 6),
        17..=32 => (1 << 12, 1 << 24),
        _ => (1 << 16, 1 << 31),
    };
    farthest_step(program, width).clamp(least, most)
}

/// The largest constant that the program adds to a pointer, in bytes.
fn farthest_step(program: &Program, width: u32) -> u64 {
    let mut farthest = 0;
    program.each_expr(&mut |expr| {
        expr.walk(&mut |expr| {
            if let Expr::PointerAdd(_, bytes) = expr {
                constants_of(bytes, width, &mut farthest);
            }
        });
    });
    farthest
}

/// Raises `farthest` to the largest magnitude among the constant summands of a distance.
fn constants_of(bytes: &Expr, width: u32, farthest: &mut u64) {
    match bytes {
        Expr::Int(value) => {
            let value = value.to_u64().unwrap_or(0);
            let top = u64::MAX >> (64 - width);
            *farthest = (*farthest).max(value.min(top.wrapping_sub(value).wrapping_add(1)));
        }
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            constants_of(a, width, farthest);
            constants_of(b, width, farthest);
        }
        _ => {}
    }
}

/// The first address that objects of a run may have, by the width of pointers, and the first after.
pub(crate) fn free_addresses(pointer_width: u32) -> (u64, u64) {
    match pointer_width {
        ..=16 => (0x100, 0xf000),
        17..=32 => (0x2000_0000, 0xf000_0000),
        _ => (0x1_0000_0000, 0x7fff_ffff_0000),
    }
}

impl Engine<'_> {
    /// Where the code of a function lies: the same places as in the interpreter.
    pub(crate) fn function_address(&self, function: FunctionId) -> u64 {
        let (base, step) = self.function_places();
        base + step * function.index() as u64
    }

    /// The address of the first function, and how far they are apart.
    fn function_places(&self) -> (u64, u64) {
        match self.pointer_width {
            ..=16 => (0xf000, 2),
            17..=32 => (0x0800_0000, 16),
            _ => (0x5555_0000_0000, 16),
        }
    }

    /// Where a replayed run may put objects whose addresses nothing decides.
    pub(crate) fn free_addresses(&self) -> (u64, u64) {
        free_addresses(self.pointer_width)
    }

    /// Ranges that they keep out of, as first address and size: code, and what the program names as a number.
    pub(crate) fn reserved_addresses(&self) -> Vec<(u64, u64)> {
        let (first, step) = self.function_places();
        let named = self.run.objects.named.iter();
        named
            .filter_map(|address| Some((self.constant(*address)?, 1)))
            .chain([(first, step * self.program.functions.len() as u64)])
            .collect()
    }

    /// The same as a term.
    pub(crate) fn code_address(&mut self, function: FunctionId) -> TermId {
        let address = self.function_address(function);
        self.terms.bv_u64(self.pointer_width, address)
    }

    /// The variable that stands for an object's address.
    pub(crate) fn base_of(&mut self, object: ObjectId) -> TermId {
        let info = &self.run.objects[object];
        if let Some(base) = info.base {
            return base;
        }
        let name = format!("address!{}", info.name);
        let base = self.terms.variable(&name, Sort::BitVec(self.pointer_width));
        self.run.objects[object].base = Some(base);
        self.run.objects.observed.push(object);
        base
    }

    /// Notes that the program names an address as a number: no object lies there. Where a path was said to be
    /// possible as long as nothing was known of that, the state is not followed.
    pub(crate) fn name_address(&mut self, state: &State, address: TermId) {
        if self.run.objects.named.contains(&address) {
            return;
        }
        self.run.objects.named.push(address);
        if self.run.objects.relied_on {
            let what = "a number that is used as an address after addresses of objects have told states of \
                        threads apart"
                .to_string();
            let truth = self.terms.true_();
            self.cut(state, truth, Cut::Unsupported { what });
        }
    }

    /// Addresses that the program names as numbers.
    pub(crate) fn named_addresses(&self) -> &[TermId] {
        &self.run.objects.named
    }

    /// Notes that an object ends its life where the guard holds: objects created from now on may lie where it
    /// lay.
    pub(crate) fn object_dies(&mut self, object: ObjectId, guard: TermId) {
        self.run.objects.note_turn(object, false, guard);
    }

    /// A run begins in a state of which it is not known how it came to be. What does not live there may have
    /// died before anything else there began; what lives there lives together.
    pub(crate) fn note_lives(&mut self, state: &State) {
        let path = self.run.paths.term(state.path);
        let mut alive = Vec::new();
        for object in self.run.objects.ids() {
            if matches!(self.run.objects[object].kind, ObjectKind::Global(_)) {
                continue;
            }
            let known = state
                .memory
                .get(object.key())
                .map(|entry| (entry.exists, entry.freed));
            let (exists, freed) = known.unwrap_or((self.terms.false_(), self.terms.false_()));
            let kept = self.terms.not(freed);
            let lives = self.terms.and(exists, kept);
            let over = self.terms.not(lives);
            let (over, lives) = (self.terms.and(path, over), self.terms.and(path, lives));
            self.run.objects.note_turn(object, false, over);
            alive.push((object, lives));
        }
        for (object, lives) in alive {
            self.run.objects.note_turn(object, true, lives);
        }
    }

    /// What every machine grants of the addresses that the program observed.
    pub fn address_facts(&mut self) -> TermId {
        let observed = self.run.objects.observed.clone();
        self.facts_of(&observed)
    }

    /// As much of it as matters for a condition: for any addresses of these objects there are addresses of
    /// the others, too, as long as memory is large enough for all.
    pub fn facts_about(&mut self, condition: TermId) -> TermId {
        let observed = self.run.objects.observed.clone();
        let mut facts = condition;
        let mut about = 0;
        loop {
            let mentioned: FxHashSet<TermId> =
                self.terms.variables_of(&[condition, facts]).into_iter().collect();
            let matters = |object: &&ObjectId| {
                let info = &self.run.objects[**object];
                let is_mentioned = info.base.is_some_and(|base| mentioned.contains(&base));
                is_mentioned || !self.terms.is_const(info.size)
            };
            let objects: Vec<ObjectId> = observed.iter().filter(matters).copied().collect();
            facts = self.facts_of(&objects);
            if objects.len() == about {
                return facts;
            }
            about = objects.len();
        }
    }

    fn facts_of(&mut self, observed: &[ObjectId]) -> TermId {
        let mut facts = self.terms.true_();
        for (index, object) in observed.iter().enumerate() {
            let own = self.own_address_fact(*object);
            facts = self.terms.and(facts, own);
            for other in &observed[..index] {
                let apart = self.apart(*object, *other);
                facts = self.terms.and(facts, apart);
            }
        }
        facts
    }

    /// Aligned, away from both ends of the address space, from code and from what the program names as a
    /// number.
    fn own_address_fact(&mut self, object: ObjectId) -> TermId {
        let info = &self.run.objects[object];
        let (size, align, created) = (info.size, info.align, info.created);
        let Some(base) = info.base else {
            return self.terms.true_();
        };
        let width = self.pointer_width;
        let zero = self.terms.bv_u64(width, 0);
        let mask = self.terms.bv_u64(width, u64::from(align) - 1);
        let low_bits = self.terms.bv_and(base, mask);
        let aligned = self.terms.eq(low_bits, zero);
        let wraps = self.terms.bv_uaddo(base, size);
        let fits = self.terms.not(wraps);
        let margin = self.margin;
        let lowest = self.terms.bv_u64(width, margin);
        let highest = self.terms.bv_u64(width, (u64::MAX >> (64 - width)) - margin);
        let end = self.terms.bv_add(base, size);
        let above = self.terms.bv_ule(lowest, base);
        let below = self.terms.bv_ule(end, highest);
        let (first, step) = self.function_places();
        let last = first + step * self.program.functions.len() as u64;
        let (first, last) = (self.terms.bv_u64(width, first), self.terms.bv_u64(width, last));
        let (before, after) = (self.terms.bv_ult(end, first), self.terms.bv_ule(last, base));
        let no_code = self.terms.or(before, after);
        let mut all = self.terms.and_all([aligned, fits, above, below, no_code]);
        for named in self.run.objects.named.clone() {
            let offset = self.terms.bv_sub(named, base);
            let elsewhere = self.terms.bv_ult(size, offset);
            all = self.terms.and(all, elsewhere);
        }
        self.terms.implies(created, all)
    }

    /// Where both live at the same time they share no byte; one may begin where the other ends. Empty objects
    /// take a byte, so that their addresses are their own.
    fn apart(&mut self, a: ObjectId, b: ObjectId) -> TermId {
        let (x, y) = (&self.run.objects[a], &self.run.objects[b]);
        let (Some(x_base), Some(y_base)) = (x.base, y.base) else {
            return self.terms.true_();
        };
        let (x_size, y_size) = (x.size, y.size);
        let created = self.terms.and(x.created, y.created);
        let one_after_other = self.one_after_other(a, b);
        let meet = self.terms.not(one_after_other);
        let together = self.terms.and(created, meet);
        let (x_end, y_end) = (self.end_of(x_base, x_size), self.end_of(y_base, y_size));
        let before = self.terms.bv_ule(x_end, y_base);
        let after = self.terms.bv_ule(y_end, x_base);
        let either = self.terms.or(before, after);
        self.terms.implies(together, either)
    }

    /// Was the last life of one of two objects over when that of the other one began? Turns come in the order
    /// of time, so what was found before is gone on from.
    fn one_after_other(&mut self, a: ObjectId, b: ObjectId) -> TermId {
        let no = self.terms.false_();
        let known = self.run.objects.lives.get(&(a, b)).copied();
        let mut lives = known.unwrap_or(Lives {
            seen: [0; 2],
            over: [no; 2],
            apart: no,
        });
        while let Some((own, turn)) = self.next_turn([a, b], lives.seen) {
            lives.seen[own] += 1;
            if turn.begins {
                let other = self.terms.not(turn.guard);
                let after = self.terms.and(turn.guard, lives.over[1 - own]);
                let before = self.terms.and(lives.apart, other);
                lives.apart = self.terms.or(before, after);
                lives.over[own] = self.terms.and(lives.over[own], other);
            } else {
                lives.over[own] = self.terms.or(lives.over[own], turn.guard);
            }
        }
        self.run.objects.lives.insert((a, b), lives);
        lives.apart
    }

    /// The next turn of two objects, after so many of each: whose it is, and the turn.
    fn next_turn(&self, objects: [ObjectId; 2], seen: [usize; 2]) -> Option<(usize, Turn)> {
        let turns = [0, 1].map(|own| self.run.objects.turn(objects[own], seen[own]));
        match turns {
            [Some(a), Some(b)] if b.time < a.time => Some((1, b)),
            [Some(a), _] => Some((0, a)),
            [None, b] => b.map(|turn| (1, turn)),
        }
    }

    fn end_of(&mut self, base: TermId, size: TermId) -> TermId {
        let width = self.pointer_width;
        let (zero, one) = (self.terms.bv_u64(width, 0), self.terms.bv_u64(width, 1));
        let empty = self.terms.eq(size, zero);
        let taken = self.terms.ite(empty, one, size);
        self.terms.bv_add(base, taken)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::options::Options;

    /// Runs `main` with two objects of 8 bytes, whose pointers are `p` and `q`, and these statements.
    fn run(statements: &str, check: impl FnOnce(&mut Engine<'_>)) {
        let text = format!(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             site0 \"one\" align 4 @1:1\nsite1 \"two\" align 4 @1:1\n\
             p0 pointer \"access\" in main @1:1\np1 assertion \"claim\" in main @1:1\n\
             function main() -> () entry l0 exit l1 @1:1 {{\n\
             local ptr p;\nlocal ptr q;\nlocal i32 x;\nlocal i32 y;\n\
             l0 \"\": when true {{ p = stack(64i32) site0; q = stack(64i32) site1; {statements} }} goto l1;\n\
             l1 \"\":\n}}\n",
        );
        let program = kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let options = Options::default();
        let mut engine = Engine::new(&program, &options);
        engine.unwind(1).expect("no limit stops it");
        check(&mut engine);
    }

    #[test]
    fn an_operand_that_does_not_matter_looks_at_no_address() {
        let apart = "assert(!(same_object(p, q)) | (8i32 <=u (p -p q))) p1;";
        run(apart, |engine| assert!(engine.run.objects.observed.is_empty()));
        run("x = p -p q;", |engine| {
            assert_eq!(engine.run.objects.observed.len(), 2)
        });
    }

    #[test]
    fn facts_are_about_what_a_condition_mentions() {
        run("x = p -p q; y = 4i32;", |engine| {
            let [p, q] = [0, 1].map(|index| engine.run.objects.observed[index]);
            let (p, q) = (engine.base_of(p), engine.base_of(q));
            let (unknown, four) = (
                engine.terms.variable("unknown", kripke_smt::Sort::BitVec(32)),
                engine.terms.bv_u64(32, 4),
            );
            let (none, one) = (engine.terms.eq(unknown, four), engine.terms.eq(p, four));
            let both = engine.terms.eq(p, q);
            assert_eq!(engine.facts_about(none), engine.terms.true_());
            let about_one = engine.facts_about(one);
            assert_eq!(engine.terms.variables_of(&[about_one]), [p]);
            assert_eq!(engine.facts_about(both), engine.address_facts());
            assert_ne!(about_one, engine.address_facts());
        });
    }
}
