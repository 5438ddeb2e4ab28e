//! Lists, trees and other structures of objects that loops create: what holds of every individual of a
//! summary.
//!
//! Idea: of the shape of a structure programs rely on little. What is pointed to lives; nothing points to the
//! first; no two point to the same; the last points to nothing; what points there is pointed back from. These
//! are predicates about any individual, or any two, that lives. What a field holds in all of them is bounded
//! by what the program compares.
//!
//! Source: Lahiri, Qadeer: Back to the future: revisiting precise program verification using SMT solvers
//! (POPL 2008) for what is enough to say of linked structures without transitive closure.

use kripke_smt::TermId;

use crate::engine::Engine;
use crate::invariants::instances::{another_index, any_index};
use crate::invariants::templates::{Shapes, bounds_by};
use crate::object::ObjectId;
use crate::summary::{Field, INDIVIDUAL_BITS};
use crate::value::Target;

/// How many pointers and how many fields that are pointers are spoken of.
const MAX_POINTERS: usize = 12;
const MAX_LINKS: usize = 8;
/// How many may be the third of three.
const MAX_THIRDS: usize = 6;

/// A pointer that points to an individual where the guard holds.
#[derive(Clone, Copy)]
struct Named {
    guard: TermId,
    object: ObjectId,
    individual: TermId,
}

/// A field by which individuals point to a target: to individuals; or to an object by itself or to null,
/// where a list ends.
#[derive(Clone)]
struct Link {
    from: ObjectId,
    target: Target,
    code: u32,
    field: Field,
}

impl Link {
    /// Does it lead to individuals of that summary?
    fn leads_to(&self, object: ObjectId) -> bool {
        self.target == Target::Summary(object)
    }
}

/// Pointers into one summary, in both orders.
fn pairs(named: &[Named]) -> impl Iterator<Item = (&Named, &Named)> {
    let all = named
        .iter()
        .flat_map(|first| named.iter().map(move |second| (first, second)));
    all.filter(|(first, second)| first.object == second.object && first.guard != second.guard)
}

impl Shapes<'_> {
    /// What is said of individuals.
    pub fn lists(&mut self, engine: &mut Engine<'_>) {
        let named = self.named();
        let links = self.inner_links(engine);
        self.fields_of_individuals(engine);
        for pointer in &named {
            let alive = self.is_alive(engine, pointer.object, pointer.individual);
            let holds = engine.terms.implies(pointer.guard, alive);
            self.add(engine, holds);
            for other in named.iter().filter(|other| other.guard != pointer.guard) {
                let both = engine.terms.and(pointer.guard, alive);
                let holds = engine.terms.implies(other.guard, both);
                self.add(engine, holds);
            }
        }
        self.lives(engine, &named);
        for (first, second) in pairs(&named) {
            let both = self.are_same(engine, first, second);
            let others = named.iter().take(MAX_THIRDS);
            for other in others.filter(|other| ![first.guard, second.guard].contains(&other.guard)) {
                let unless = engine.terms.or(other.guard, both);
                self.add(engine, unless);
            }
        }
        for end in self.ends(engine) {
            for pointer in named.iter().filter(|pointer| pointer.object == end.from) {
                self.of_end(engine, &end, pointer);
            }
        }
        for link in &links {
            self.of_link(engine, link);
            for pointer in &named {
                self.of_link_and_pointer(engine, link, pointer);
                for other in &named {
                    self.between(engine, link, pointer, other);
                }
            }
            for other in links
                .iter()
                .filter(|other| other.leads_to(link.from) && link.leads_to(other.from))
            {
                self.back(engine, link, other);
            }
        }
    }

    fn named(&self) -> Vec<Named> {
        let pointers = self.head.individuals.pointers.iter();
        let cases = pointers.flat_map(|pointer| &pointer.cases);
        let mut named = Vec::new();
        for case in cases {
            if let (Target::Summary(object), Some(individual)) = (case.target, case.individual) {
                named.push(Named {
                    guard: case.guard,
                    object,
                    individual,
                });
            }
        }
        named.truncate(MAX_POINTERS);
        named
    }

    /// The fields by which individuals point to targets of a kind.
    fn links(&self, engine: &Engine<'_>, is_wanted: fn(Target) -> bool) -> Vec<Link> {
        let mut links = Vec::new();
        for (object, summary) in &self.head.individuals.summaries {
            for field in summary.fields.values() {
                for code in field.targets() {
                    let target = engine.run.objects.target_of(code);
                    if is_wanted(target) {
                        links.push(Link {
                            from: *object,
                            target,
                            code,
                            field: field.clone(),
                        });
                    }
                }
            }
        }
        links.truncate(MAX_LINKS);
        links
    }

    /// Those to individuals.
    fn inner_links(&self, engine: &Engine<'_>) -> Vec<Link> {
        self.links(engine, |target| matches!(target, Target::Summary(_)))
    }

    /// Those where a list ends.
    fn ends(&self, engine: &Engine<'_>) -> Vec<Link> {
        self.links(engine, |target| {
            matches!(target, Target::Null | Target::Object(_))
        })
    }

    /// What pointers point to lives, also where that is an object by itself.
    fn lives(&mut self, engine: &mut Engine<'_>, named: &[Named]) {
        let individuals = self.head.individuals.clone();
        let cases = individuals.pointers.iter().flat_map(|pointer| &pointer.cases);
        let mut pointing: Vec<(TermId, Target)> = cases.map(|case| (case.guard, case.target)).collect();
        // Where one is at the object before a list, the list is whole.
        for (guard, _) in pointing
            .iter()
            .filter(|(_, target)| matches!(target, Target::Object(_)))
        {
            for first in named {
                let alive = self.is_alive(engine, first.object, first.individual);
                let both = engine.terms.and(*guard, first.guard);
                let holds = engine.terms.implies(both, alive);
                self.add(engine, holds);
            }
        }
        let any = any_index(&mut engine.terms, INDIVIDUAL_BITS);
        for end in self.ends(engine) {
            let (points_there, _) = self.is_linked(engine, &end, any);
            pointing.push((points_there, end.target));
        }
        for (guard, target) in pointing {
            if let Target::Object(object) = target
                && let Some(freed) = individuals.freed.get(&object)
            {
                let lives = engine.terms.not(*freed);
                let holds = engine.terms.implies(guard, lives);
                self.add(engine, holds);
            }
        }
    }

    /// What points to the end of a list is what the pointer points to; that does so.
    fn of_end(&mut self, engine: &mut Engine<'_>, end: &Link, pointer: &Named) {
        let any = any_index(&mut engine.terms, INDIVIDUAL_BITS);
        let (is_last, _) = self.is_linked(engine, end, any);
        let is_it = engine.terms.eq(pointer.individual, any);
        let is_it = engine.terms.and(pointer.guard, is_it);
        let holds = engine.terms.implies(is_last, is_it);
        self.add(engine, holds);
        let (ends_there, _) = engine.link_of(&end.field, end.code, pointer.individual);
        let holds = engine.terms.implies(pointer.guard, ends_there);
        self.add(engine, holds);
    }

    /// The individual was created, and not freed.
    fn is_alive(&self, engine: &mut Engine<'_>, object: ObjectId, individual: TermId) -> TermId {
        let Some(summary) = self.head.individuals.summaries.get(&object) else {
            return engine.terms.false_();
        };
        let (count, freed) = (summary.count, summary.freed);
        let freed = engine.bit_of(freed, individual);
        let is_created = engine.terms.bv_ult(individual, count);
        let lives = engine.terms.not(freed);
        engine.terms.and(is_created, lives)
    }

    /// The individual lives, and points by the link to its target; to which individual there.
    fn is_linked(&self, engine: &mut Engine<'_>, link: &Link, individual: TermId) -> (TermId, TermId) {
        let (guard, to) = engine.link_of(&link.field, link.code, individual);
        let alive = self.is_alive(engine, link.from, individual);
        (engine.terms.and(alive, guard), to)
    }

    /// What holds of a link wherever it is.
    fn of_link(&mut self, engine: &mut Engine<'_>, link: &Link) {
        let any = any_index(&mut engine.terms, INDIVIDUAL_BITS);
        let another = another_index(&mut engine.terms, INDIVIDUAL_BITS);
        let (is_linked, to) = self.is_linked(engine, link, any);
        let Target::Summary(object) = link.target else {
            return;
        };
        let alive = self.is_alive(engine, object, to);
        let holds = engine.terms.implies(is_linked, alive);
        self.add(engine, holds);
        let (is_other_linked, to_other) = self.is_linked(engine, link, another);
        let both = engine.terms.and(is_linked, is_other_linked);
        let are_same = engine.terms.eq(any, another);
        let apart = engine.terms.distinct(to, to_other);
        let apart = engine.terms.or(are_same, apart);
        let holds = engine.terms.implies(both, apart);
        self.add(engine, holds);
        if link.leads_to(link.from) {
            for order in [engine.terms.bv_ult(to, any), engine.terms.bv_ult(any, to)] {
                let differs = engine.terms.distinct(any, to);
                let chain = [order, differs].map(|holds| engine.terms.implies(is_linked, holds));
                self.add_chain(engine, chain);
            }
        }
    }

    /// Nothing points by the link to where a pointer does; that does not point on.
    fn of_link_and_pointer(&mut self, engine: &mut Engine<'_>, link: &Link, pointer: &Named) {
        if link.leads_to(pointer.object) {
            let any = any_index(&mut engine.terms, INDIVIDUAL_BITS);
            let (is_linked, to) = self.is_linked(engine, link, any);
            let both = engine.terms.and(is_linked, pointer.guard);
            let apart = engine.terms.distinct(to, pointer.individual);
            let holds = engine.terms.implies(both, apart);
            self.add(engine, holds);
        }
        if pointer.object == link.from {
            let (is_linked, _) = self.is_linked(engine, link, pointer.individual);
            let is_last = engine.terms.not(is_linked);
            let holds = engine.terms.implies(pointer.guard, is_last);
            self.add(engine, holds);
        }
    }

    /// Where one points to an individual, the other one does so, and to the same.
    fn are_same(&mut self, engine: &mut Engine<'_>, first: &Named, second: &Named) -> TermId {
        let same = engine.terms.eq(first.individual, second.individual);
        let both = engine.terms.and(second.guard, same);
        let holds = engine.terms.implies(first.guard, both);
        self.add(engine, holds);
        holds
    }

    /// What one pointer points to points to what another does.
    fn between(&mut self, engine: &mut Engine<'_>, link: &Link, pointer: &Named, other: &Named) {
        if pointer.object != link.from || !link.leads_to(other.object) {
            return;
        }
        let (is_linked, to) = self.is_linked(engine, link, pointer.individual);
        let is_there = engine.terms.eq(to, other.individual);
        let is_next = engine.terms.and(is_linked, is_there);
        let both = engine.terms.and(pointer.guard, other.guard);
        let holds = engine.terms.implies(both, is_next);
        self.add(engine, holds);
    }

    /// What is pointed to points back.
    fn back(&mut self, engine: &mut Engine<'_>, link: &Link, other: &Link) {
        let any = any_index(&mut engine.terms, INDIVIDUAL_BITS);
        let (is_linked, to) = self.is_linked(engine, link, any);
        let (is_linked_back, back) = self.is_linked(engine, other, to);
        let is_here = engine.terms.eq(back, any);
        let points_back = engine.terms.and(is_linked_back, is_here);
        let holds = engine.terms.implies(is_linked, points_back);
        self.add(engine, holds);
    }

    /// Fields are written, and numbers in them bounded.
    fn fields_of_individuals(&mut self, engine: &mut Engine<'_>) {
        let any = any_index(&mut engine.terms, INDIVIDUAL_BITS);
        for (object, summary) in &self.head.individuals.clone().summaries {
            let alive = self.is_alive(engine, *object, any);
            for field in summary.fields.values() {
                let is_written = engine.bit_of(field.written, any);
                let holds = engine.terms.implies(alive, is_written);
                self.add(engine, holds);
                if field.pointers.is_some() || field.bytes > 8 {
                    continue;
                }
                let element = engine.terms.select(field.data, any);
                let constants = self.mined.compared_constants(field.bytes * 8);
                for chain in bounds_by(&mut engine.terms, element, &constants) {
                    let chain: Vec<TermId> = chain
                        .into_iter()
                        .map(|bound| engine.terms.implies(alive, bound))
                        .collect();
                    self.add_chain(engine, chain);
                }
            }
        }
    }
}
