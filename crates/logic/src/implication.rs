//! Syntactic implication between forms: sound, cheap, and far from complete.
//!
//! Somenzi and Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000, with decision diagrams for what
//! has no temporal operator. Each case below follows from the unfolding of `U` and `R` and the definitions of
//! eventual and universal forms.

use crate::normal_form::{Form, FormNode, Forms};

impl Forms {
    /// Whether every word of `a` is certainly one of `b`.
    pub(crate) fn implies(&mut self, a: Form, b: Form) -> bool {
        if a == b || a == Form::FALSE || b == Form::TRUE {
            return true;
        }
        if a == Form::TRUE || b == Form::FALSE {
            return false;
        }
        if let (Some(x), Some(y)) = (self.letters(a), self.letters(b)) {
            return self.bdds.implies(x, y);
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let result = self.implies_by_structure(a, b);
        self.implications.insert((a, b), result);
        result
    }

    fn implies_by_structure(&mut self, a: Form, b: Form) -> bool {
        let (na, nb) = (self.node(a).clone(), self.node(b).clone());
        match &na {
            FormNode::Or(list) => return list.iter().all(|&x| self.implies(x, b)),
            FormNode::And(list) if list.iter().any(|&x| self.implies(x, b)) => return true,
            _ => {}
        }
        match &nb {
            FormNode::And(list) => return list.iter().all(|&y| self.implies(a, y)),
            FormNode::Or(list) if list.iter().any(|&y| self.implies(a, y)) => return true,
            FormNode::Until(_, f) if self.implies(a, *f) => return true,
            FormNode::Release(e, f)
                if self.implies(a, *f) && (self.is_universal(a) || self.implies(a, *e)) =>
            {
                return true;
            }
            FormNode::Next(d) if self.is_universal(a) && self.implies(a, *d) => return true,
            _ => {}
        }
        match &na {
            FormNode::Until(c, d) if self.implies(*d, b) && (self.is_eventual(b) || self.implies(*c, b)) => {
                return true;
            }
            FormNode::Release(_, d) if self.implies(*d, b) => return true,
            FormNode::Next(c) if self.is_eventual(b) && self.implies(*c, b) => return true,
            _ => {}
        }
        match (&na, &nb) {
            (FormNode::Until(c, d), FormNode::Until(e, f))
            | (FormNode::Release(c, d), FormNode::Release(e, f)) => {
                self.implies(*c, *e) && self.implies(*d, *f)
            }
            (FormNode::Next(c), FormNode::Next(d)) => self.implies(*c, *d),
            _ => false,
        }
    }

    /// Whether no word is certainly in both.
    pub(crate) fn excludes(&mut self, a: Form, b: Form) -> bool {
        let negation = self.negate(b);
        self.implies(a, negation)
    }

    /// Whether every word is certainly in one of the two.
    pub(crate) fn covers(&mut self, a: Form, b: Form) -> bool {
        let negation = self.negate(a);
        self.implies(negation, b)
    }
}
