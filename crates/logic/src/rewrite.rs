//! The builders of normal forms, and the rewriting rules they apply.
//!
//! Sources: Etessami and Holzmann (CONCUR 2000), Somenzi and Bloem (CAV 2000), Babiak, Křetínský, Řehák and
//! Strejček (TACAS 2012). Rules come in dual pairs; one name and one counter covers both. Every rule makes
//! the formula smaller, or moves an operator outwards, so building ends.

use crate::bdd::Bdd;
use crate::label::Cube;
use crate::normal_form::{Form, FormNode, Forms};

/// The rules by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// `a ∧ b = a` when a implies b.
    Absorption,
    /// `a ∧ b = false` when a excludes b.
    Contradiction,
    /// The temporal-free operands of a conjunction as one minimal sum or product.
    Letters,
    /// `X a ∧ X b = X(a ∧ b)`.
    JoinNext,
    /// `G a ∧ G b = G(a ∧ b)`, `(a R b) ∧ (a R c) = a R (b ∧ c)`, `(a U c) ∧ (b U c) = (a ∧ b) U c`.
    JoinOperators,
    /// `F G a ∧ F G b = F G(a ∧ b)`.
    JoinPersistence,
    /// `b ∧ (a ∨ X(a R b)) = a R b`.
    Fold,
    /// `X a = a` when a is constant along words; `X(a ∧ s) = X a ∧ s`.
    NextOfConstant,
    /// `a U b = b` when a implies b, or b is eventual.
    UntilIsRight,
    /// `a U b = F b` when one of a and b always holds.
    UntilIsFinally,
    /// `X a U X b = X(a U b)`.
    UntilOfNext,
    /// `a U (c U d) = c U d` when a implies c; `= a U d` when c implies a.
    UntilOfUntil,
    /// `a U (b ∧ s) = (a U b) ∧ s`, `a U (b ∨ s) = (a U b) ∨ s` when s is constant along words.
    PullConstant,
    /// `F(a ∨ e) = F a ∨ e` when e is eventual.
    PullEventual,
    /// `F(a ∧ e)` under `G`: `G F(a ∧ e) = G F a ∧ G e` when e is eventual.
    SplitRecurrence,
    /// `u U b = b ∨ (u ∧ F b)` when u is universal.
    UniversalUntil,
}

impl Rule {
    pub(crate) const COUNT: usize = Rule::UniversalUntil as usize + 1;
}

impl Forms {
    fn fire(&mut self, rule: Rule) {
        self.fired[rule as usize] += 1;
    }

    pub(crate) fn and(&mut self, operands: Vec<Form>) -> Form {
        self.lattice(operands, true)
    }

    pub(crate) fn or(&mut self, operands: Vec<Form>) -> Form {
        self.lattice(operands, false)
    }

    /// Conjunction, or dually disjunction.
    fn lattice(&mut self, operands: Vec<Form>, conjunction: bool) -> Form {
        let (unit, zero) = if conjunction {
            (Form::TRUE, Form::FALSE)
        } else {
            (Form::FALSE, Form::TRUE)
        };
        let mut list = self.flatten(&operands, conjunction);
        list.retain(|&form| form != unit);
        list.sort_unstable();
        list.dedup();
        if list.contains(&zero) {
            return zero;
        }
        if self.rewriting && list.len() > 1 {
            loop {
                let before = list.clone();
                list = self.reduce_operands(list, conjunction);
                list = self.flatten(&list, conjunction);
                list.retain(|&form| form != unit);
                list.sort_unstable();
                list.dedup();
                if list.contains(&zero) {
                    return zero;
                }
                if list == before {
                    break;
                }
            }
        }
        match list.len() {
            0 => unit,
            1 => list[0],
            _ if conjunction => self.intern(FormNode::And(list.into())),
            _ => self.intern(FormNode::Or(list.into())),
        }
    }

    fn flatten(&self, operands: &[Form], conjunction: bool) -> Vec<Form> {
        let mut list = Vec::with_capacity(operands.len());
        for &operand in operands {
            match self.node(operand) {
                FormNode::And(inner) if conjunction => list.extend_from_slice(inner),
                FormNode::Or(inner) if !conjunction => list.extend_from_slice(inner),
                _ => list.push(operand),
            }
        }
        list
    }

    fn reduce_operands(&mut self, list: Vec<Form>, conjunction: bool) -> Vec<Form> {
        let zero = if conjunction { Form::FALSE } else { Form::TRUE };
        let list = self.merge_letters(list, conjunction);
        let Some(list) = self.absorb(list, conjunction) else {
            return vec![zero];
        };
        let list = self.join_next(list, conjunction);
        let list = self.join_operators(list, conjunction);
        self.fold_unfoldings(list, conjunction)
    }

    /// [`Rule::Absorption`] and [`Rule::Contradiction`]; `None` for the zero of the lattice.
    fn absorb(&mut self, list: Vec<Form>, conjunction: bool) -> Option<Vec<Form>> {
        let mut kept: Vec<Form> = Vec::with_capacity(list.len());
        for form in list {
            let mut redundant = false;
            for &other in &kept {
                redundant |= if conjunction {
                    self.implies(other, form)
                } else {
                    self.implies(form, other)
                };
            }
            if redundant {
                self.fire(Rule::Absorption);
                continue;
            }
            let before = kept.len();
            let mut still = Vec::with_capacity(before + 1);
            for other in kept {
                let weaker = if conjunction {
                    self.implies(form, other)
                } else {
                    self.implies(other, form)
                };
                if !weaker {
                    still.push(other);
                }
            }
            if still.len() < before {
                self.fire(Rule::Absorption);
            }
            for &other in &still {
                let clash = if conjunction {
                    self.excludes(form, other)
                } else {
                    self.covers(form, other)
                };
                if clash {
                    self.fire(Rule::Contradiction);
                    return None;
                }
            }
            still.push(form);
            kept = still;
        }
        Some(kept)
    }

    /// [`Rule::Letters`].
    fn merge_letters(&mut self, list: Vec<Form>, conjunction: bool) -> Vec<Form> {
        let (plain, mut rest): (Vec<Form>, Vec<Form>) =
            list.into_iter().partition(|&form| self.letters(form).is_some());
        if plain.len() < 2 {
            rest.extend(plain);
            return rest;
        }
        let mut set = if conjunction { Bdd::TRUE } else { Bdd::FALSE };
        for &form in &plain {
            let letters = self.letters(form).unwrap_or(set);
            set = if conjunction {
                self.bdds.and(set, letters)
            } else {
                self.bdds.or(set, letters)
            };
        }
        let sum = self.bdds.sum(set);
        let complement = self.bdds.not(set);
        let product = self.bdds.sum(complement);
        let literals = |cubes: &[Cube]| -> u32 {
            cubes
                .iter()
                .map(|c| c.positive.count_ones() + c.negative.count_ones())
                .sum()
        };
        let (sum_size, product_size) = (literals(sum.cubes()), literals(product.cubes()));
        let old_size: u32 = plain.iter().map(|&form| self.literal_count(form)).sum();
        if sum_size.min(product_size) >= old_size {
            rest.extend(plain);
            return rest;
        }
        self.fire(Rule::Letters);
        // Without rewriting: the result is minimal already, and its parts must not come back here.
        self.rewriting = false;
        let merged = if sum_size <= product_size {
            let cubes: Vec<Form> = sum
                .cubes()
                .iter()
                .map(|&cube| self.cube_form(cube, true))
                .collect();
            self.or(cubes)
        } else {
            let clauses: Vec<Form> = product
                .cubes()
                .iter()
                .map(|&cube| self.cube_form(cube, false))
                .collect();
            self.and(clauses)
        };
        self.rewriting = true;
        rest.push(merged);
        rest
    }

    fn literal_count(&self, form: Form) -> u32 {
        match self.node(form) {
            FormNode::And(list) | FormNode::Or(list) => list.iter().map(|&f| self.literal_count(f)).sum(),
            FormNode::Literal(..) => 1,
            _ => 0,
        }
    }

    /// A cube as a conjunction, or its negation as a disjunction.
    fn cube_form(&mut self, cube: Cube, conjunction: bool) -> Form {
        let literals: Vec<Form> = cube
            .literals()
            .map(|(atom, value)| self.literal(atom.index() as u8, value == conjunction))
            .collect();
        self.lattice(literals, conjunction)
    }

    /// [`Rule::JoinNext`].
    fn join_next(&mut self, list: Vec<Form>, conjunction: bool) -> Vec<Form> {
        let inner = |forms: &Forms, form: Form| match forms.node(form) {
            FormNode::Next(a) => Some(*a),
            _ => None,
        };
        let nexts: Vec<Form> = list.iter().filter_map(|&form| inner(self, form)).collect();
        if nexts.len() < 2 {
            return list;
        }
        self.fire(Rule::JoinNext);
        let mut rest: Vec<Form> = list
            .into_iter()
            .filter(|&form| inner(self, form).is_none())
            .collect();
        let joined = self.lattice(nexts, conjunction);
        rest.push(self.next(joined));
        rest
    }

    /// [`Rule::JoinOperators`] and [`Rule::JoinPersistence`].
    fn join_operators(&mut self, mut list: Vec<Form>, conjunction: bool) -> Vec<Form> {
        let mut at = 0;
        'outer: while at < list.len() {
            for other in at + 1..list.len() {
                if let Some(joined) = self.join_pair(list[at], list[other], conjunction) {
                    list.remove(other);
                    list[at] = joined;
                    continue 'outer;
                }
            }
            at += 1;
        }
        list
    }

    fn join_pair(&mut self, x: Form, y: Form, conjunction: bool) -> Option<Form> {
        use FormNode::{Release, Until};
        match (self.node(x).clone(), self.node(y).clone(), conjunction) {
            (Release(a, b), Release(c, d), true) | (Until(a, b), Until(c, d), false) if a == c => {
                // `G F p` stays apart: it is worth more as an operand that is constant along words.
                let constant = self.is_constant_along_words(x) || self.is_constant_along_words(y);
                if self.apart && constant {
                    return None;
                }
                self.fire(Rule::JoinOperators);
                let right = self.lattice(vec![b, d], conjunction);
                Some(if conjunction {
                    self.release(a, right)
                } else {
                    self.until(a, right)
                })
            }
            (Until(a, b), Until(c, d), true) | (Release(a, b), Release(c, d), false) if b == d => {
                self.fire(Rule::JoinOperators);
                let left = self.lattice(vec![a, c], conjunction);
                Some(if conjunction {
                    self.until(left, b)
                } else {
                    self.release(left, b)
                })
            }
            (Until(Form::TRUE, b), Until(Form::TRUE, d), true) => {
                let (Release(Form::FALSE, p), Release(Form::FALSE, q)) = (self.node(b), self.node(d)) else {
                    return None;
                };
                let (p, q) = (*p, *q);
                self.fire(Rule::JoinPersistence);
                let both = self.and(vec![p, q]);
                let always = self.globally(both);
                Some(self.finally(always))
            }
            (Release(Form::FALSE, b), Release(Form::FALSE, d), false) => {
                let (Until(Form::TRUE, p), Until(Form::TRUE, q)) = (self.node(b), self.node(d)) else {
                    return None;
                };
                let (p, q) = (*p, *q);
                self.fire(Rule::JoinPersistence);
                let either = self.or(vec![p, q]);
                let eventually = self.finally(either);
                Some(self.globally(eventually))
            }
            _ => None,
        }
    }

    /// [`Rule::Fold`].
    fn fold_unfoldings(&mut self, mut list: Vec<Form>, conjunction: bool) -> Vec<Form> {
        for at in 0..list.len() {
            let Some((b, whole)) = self.unfolding(list[at], conjunction) else {
                continue;
            };
            let needed: Vec<Form> = self.flatten(&[b], conjunction);
            if needed.iter().all(|form| list.contains(form)) {
                self.fire(Rule::Fold);
                list[at] = whole;
                list.retain(|form| *form == whole || !needed.contains(form));
                return list;
            }
        }
        list
    }

    /// For `a ∨ X(a R b)`, or `X G b`: b and `a R b`; dually `a ∧ X(a U b)`, `X F b`.
    fn unfolding(&self, form: Form, conjunction: bool) -> Option<(Form, Form)> {
        let operator = |next: Form| -> Option<(Form, Form, Form)> {
            let FormNode::Next(inner) = self.node(next) else {
                return None;
            };
            match (self.node(*inner), conjunction) {
                (FormNode::Release(a, b), true) | (FormNode::Until(a, b), false) => Some((*a, *b, *inner)),
                _ => None,
            }
        };
        let neutral = if conjunction { Form::FALSE } else { Form::TRUE };
        match (self.node(form), conjunction) {
            (FormNode::Next(_), _) => operator(form)
                .filter(|(a, ..)| *a == neutral)
                .map(|(_, b, whole)| (b, whole)),
            (FormNode::Or(list), true) | (FormNode::And(list), false) => {
                let found = list
                    .iter()
                    .find_map(|&next| operator(next).map(|parts| (next, parts)))?;
                let (next, (a, b, whole)) = found;
                let rest: Vec<Form> = list.iter().copied().filter(|&f| f != next).collect();
                (rest == self.flatten(&[a], !conjunction)).then_some((b, whole))
            }
            _ => None,
        }
    }

    pub(crate) fn next(&mut self, a: Form) -> Form {
        if matches!(self.node(a), FormNode::Constant(_)) {
            return a;
        }
        if self.rewriting {
            if self.is_constant_along_words(a) {
                self.fire(Rule::NextOfConstant);
                return a;
            }
            if let Some((rest, constant, conjunction)) = self.split_constant(a) {
                self.fire(Rule::NextOfConstant);
                let next = self.next(rest);
                return self.lattice(vec![next, constant], conjunction);
            }
        }
        self.intern(FormNode::Next(a))
    }

    /// A conjunction or disjunction as the rest, the part that is constant along words, and which it is.
    fn split_constant(&mut self, form: Form) -> Option<(Form, Form, bool)> {
        let (list, conjunction) = match self.node(form) {
            FormNode::And(list) => (list.to_vec(), true),
            FormNode::Or(list) => (list.to_vec(), false),
            _ => return None,
        };
        let (constant, rest): (Vec<Form>, Vec<Form>) =
            list.into_iter().partition(|&f| self.is_constant_along_words(f));
        if constant.is_empty() || rest.is_empty() {
            return None;
        }
        let rest = self.lattice(rest, conjunction);
        let constant = self.lattice(constant, conjunction);
        Some((rest, constant, conjunction))
    }

    pub(crate) fn until(&mut self, a: Form, b: Form) -> Form {
        self.fixpoint(a, b, true)
    }

    pub(crate) fn release(&mut self, a: Form, b: Form) -> Form {
        self.fixpoint(a, b, false)
    }

    /// `a U b`, or dually `a R b`. Names below are those of `U`.
    fn fixpoint(&mut self, a: Form, b: Form, until: bool) -> Form {
        let zero = if until { Form::FALSE } else { Form::TRUE };
        if matches!(self.node(b), FormNode::Constant(_)) || a == zero {
            return b;
        }
        if self.rewriting
            && let Some(form) = self.rewrite_fixpoint(a, b, until)
        {
            return form;
        }
        self.intern(if until {
            FormNode::Until(a, b)
        } else {
            FormNode::Release(a, b)
        })
    }

    fn rewrite_fixpoint(&mut self, a: Form, b: Form, until: bool) -> Option<Form> {
        let one = if until { Form::TRUE } else { Form::FALSE };
        let below = |forms: &mut Forms, x: Form, y: Form| {
            if until {
                forms.implies(x, y)
            } else {
                forms.implies(y, x)
            }
        };
        let right = if until {
            self.is_eventual(b)
        } else {
            self.is_universal(b)
        };
        if right || below(self, a, b) {
            self.fire(Rule::UntilIsRight);
            return Some(b);
        }
        if a != one {
            let always = if until {
                self.covers(a, b)
            } else {
                self.excludes(a, b)
            };
            if always {
                self.fire(Rule::UntilIsFinally);
                return Some(self.fixpoint(one, b, until));
            }
        }
        if let FormNode::Next(d) = *self.node(b) {
            let c = match *self.node(a) {
                FormNode::Next(c) => Some(c),
                _ if a == one => Some(one),
                _ => None,
            };
            if let Some(c) = c {
                self.fire(Rule::UntilOfNext);
                let inner = self.fixpoint(c, d, until);
                return Some(self.next(inner));
            }
        }
        let nested = match (self.node(b), until) {
            (FormNode::Until(c, d), true) | (FormNode::Release(c, d), false) => Some((*c, *d)),
            _ => None,
        };
        if let Some((c, d)) = nested {
            if below(self, a, c) {
                self.fire(Rule::UntilOfUntil);
                return Some(b);
            }
            if below(self, c, a) {
                self.fire(Rule::UntilOfUntil);
                return Some(self.fixpoint(a, d, until));
            }
        }
        if let Some((rest, constant, conjunction)) = self.split_constant(b) {
            self.fire(Rule::PullConstant);
            let inner = self.fixpoint(a, rest, until);
            return Some(self.lattice(vec![inner, constant], conjunction));
        }
        if !self.apart {
            return None;
        }
        if a == one
            && let Some(form) = self.pull_eventual(b, until)
        {
            return Some(form);
        }
        let universal = if until {
            self.is_universal(a)
        } else {
            self.is_eventual(a)
        };
        if universal && a != one {
            self.fire(Rule::UniversalUntil);
            let eventually = self.fixpoint(one, b, until);
            let both = self.lattice(vec![a, eventually], until);
            return Some(self.lattice(vec![b, both], !until));
        }
        None
    }

    /// [`Rule::PullEventual`] and [`Rule::SplitRecurrence`] on `F b`, or dually on `G b`.
    fn pull_eventual(&mut self, b: Form, until: bool) -> Option<Form> {
        let list = match (self.node(b), until) {
            (FormNode::Or(list), true) | (FormNode::And(list), false) => list.to_vec(),
            (FormNode::Until(Form::TRUE, inner), false) | (FormNode::Release(Form::FALSE, inner), true) => {
                let inner = *inner;
                return self.split_recurrence(inner, until);
            }
            _ => return None,
        };
        let kind = |forms: &Forms, f: Form| {
            if until {
                forms.is_eventual(f)
            } else {
                forms.is_universal(f)
            }
        };
        let (pulled, rest): (Vec<Form>, Vec<Form>) = list.iter().partition(|&&f| kind(self, f));
        if !pulled.is_empty() && !rest.is_empty() {
            self.fire(Rule::PullEventual);
            let one = if until { Form::TRUE } else { Form::FALSE };
            let rest = self.lattice(rest, !until);
            let mut parts = pulled;
            parts.push(self.fixpoint(one, rest, until));
            return Some(self.lattice(parts, !until));
        }
        self.split_under_globally(&list, until)
    }

    /// `G(a ∧ e) = G a ∧ G e`, for `G e` is constant along words when e is eventual; dually for `F`.
    fn split_under_globally(&mut self, list: &[Form], until: bool) -> Option<Form> {
        let kind = |forms: &Forms, f: Form| {
            if until {
                forms.is_universal(f)
            } else {
                forms.is_eventual(f)
            }
        };
        let (constant, rest): (Vec<Form>, Vec<Form>) = list.iter().partition(|&&f| kind(self, f));
        if constant.is_empty() {
            return None;
        }
        if rest.is_empty() && constant.len() < 2 {
            return None;
        }
        let one = if until { Form::TRUE } else { Form::FALSE };
        self.fire(Rule::SplitRecurrence);
        let mut parts: Vec<Form> = constant
            .into_iter()
            .map(|f| self.fixpoint(one, f, until))
            .collect();
        if !rest.is_empty() {
            let rest = self.lattice(rest, !until);
            parts.push(self.fixpoint(one, rest, until));
        }
        Some(self.lattice(parts, !until))
    }

    /// `G F(a ∧ e) = G F a ∧ G e` when e is eventual; dually `F G(a ∨ u) = F G a ∨ F u`. `b` is the inner
    /// operand.
    fn split_recurrence(&mut self, b: Form, until: bool) -> Option<Form> {
        let list = match (self.node(b), until) {
            (FormNode::And(list), false) | (FormNode::Or(list), true) => list.to_vec(),
            _ => return None,
        };
        let kind = |forms: &Forms, f: Form| {
            if until {
                forms.is_universal(f)
            } else {
                forms.is_eventual(f)
            }
        };
        let (split, rest): (Vec<Form>, Vec<Form>) = list.iter().partition(|&&f| kind(self, f));
        if split.is_empty() {
            return None;
        }
        self.fire(Rule::SplitRecurrence);
        let (one, zero) = if until {
            (Form::TRUE, Form::FALSE)
        } else {
            (Form::FALSE, Form::TRUE)
        };
        let mut parts: Vec<Form> = split.into_iter().map(|f| self.fixpoint(one, f, until)).collect();
        if !rest.is_empty() {
            let rest = self.lattice(rest, !until);
            let inner = self.fixpoint(zero, rest, !until);
            parts.push(self.fixpoint(one, inner, until));
        }
        Some(self.lattice(parts, !until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::holds_on_lasso;
    use crate::formula::Formula;
    use crate::random::{Random, lasso};
    use crate::translate::{Options, translate};

    /// The formula is rewritten to the expected one, the rule among those applied (or, for a near-miss, not),
    /// and the two sides cannot differ: the automata are made without rewriting.
    fn check(text: &str, expected: &str, rule: Rule, applies: bool) {
        let formula = Formula::parse(text).unwrap();
        let mut forms = Forms::new(true);
        let form = forms.of_formula(&formula).unwrap();
        let mut store = formula.store.clone();
        let root = forms.to_formula(form, &mut store);
        let rewritten = Formula { store, root };
        assert_eq!(rewritten.to_string(), expected, "{text}");
        assert_eq!(forms.fired[rule as usize] > 0, applies, "{text}: {rule:?}");
        let options = Options {
            rewriting: false,
            ..Options::default()
        };
        let automaton = |formula: &Formula| translate(formula, &options).unwrap();
        assert_eq!(
            automaton(&formula).find_common_word(&automaton(&rewritten.negated())),
            None,
            "{text}"
        );
        assert_eq!(
            automaton(&formula.negated()).find_common_word(&automaton(&rewritten)),
            None,
            "{text}"
        );
        let mut random = Random::new(5);
        for _ in 0..200 {
            let word = lasso(&mut random, formula.atoms().len());
            assert_eq!(
                holds_on_lasso(&formula, &word),
                holds_on_lasso(&rewritten, &word),
                "{text} on {word:?}"
            );
        }
    }

    #[test]
    fn rules_fire_and_near_misses_do_not() {
        check("p && (q U p)", "p", Rule::Absorption, true);
        check("q && (p U q)", "q", Rule::Absorption, true);
        check("p && (p U q)", "p && (p U q)", Rule::Absorption, false);
        check("F p && G !p", "false", Rule::Contradiction, true);
        check("F p && !p", "F p && !p", Rule::Contradiction, false);
        check("(p && q) || (p && !q)", "p", Rule::Letters, true);
        check("X p && X q", "X(p && q)", Rule::JoinNext, true);
        check("X p && q", "X p && q", Rule::JoinNext, false);
        check("G p && G q", "G(p && q)", Rule::JoinOperators, true);
        check("(p U r) && (q U r)", "(p && q) U r", Rule::JoinOperators, true);
        check(
            "(p U q) && (p U r)",
            "(p U q) && (p U r)",
            Rule::JoinOperators,
            false,
        );
        check("F G p && F G q", "F G(p && q)", Rule::JoinPersistence, true);
        check("q && (p || X(p R q))", "p R q", Rule::Fold, true);
        check("p || X F p", "F p", Rule::Fold, true);
        check("q || X F p", "q || X F p", Rule::Fold, false);
        check("X G F p", "G F p", Rule::NextOfConstant, true);
        check("X F p", "X F p", Rule::NextOfConstant, false);
        check("p U F q", "F q", Rule::UntilIsRight, true);
        check("!p U p", "F p", Rule::UntilIsFinally, true);
        check("X p U X q", "X(p U q)", Rule::UntilOfNext, true);
        check("F(p U q)", "F q", Rule::UntilOfUntil, true);
        check("p U (p U q)", "p U q", Rule::UntilOfUntil, true);
        check("p U (q U r)", "p U (q U r)", Rule::UntilOfUntil, false);
        check("p U (q && G F r)", "G F r && (p U q)", Rule::PullConstant, true);
        check("p U (q && F r)", "p U (q && F r)", Rule::PullConstant, false);
        check("F(p || F q)", "F(p || q)", Rule::PullEventual, true);
        check("F(p && F q)", "F(p && F q)", Rule::PullEventual, false);
        check("G F(p && F q)", "G F q && G F p", Rule::SplitRecurrence, true);
        check("G F(p && q)", "G F(p && q)", Rule::SplitRecurrence, false);
        check("G p U q", "q || (G p && F q)", Rule::UniversalUntil, true);
        check("p U G q", "p U G q", Rule::UniversalUntil, false);
    }
}
