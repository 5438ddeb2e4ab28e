//! Classes of letters, and which letters can occur at all.

use rustc_hash::FxHashSet;

use crate::bdd::{Bdd, Bdds};

/// Splits the letters into classes that no given label tells apart; `None` when there are more than `limit`.
pub(crate) fn classes(
    labels: impl IntoIterator<Item = Bdd>,
    limit: usize,
    bdds: &mut Bdds,
) -> Option<Vec<Bdd>> {
    classes_within(Bdd::TRUE, labels, limit, bdds)
}

/// The same for a subset of the letters.
pub(crate) fn classes_within(
    letters: Bdd,
    labels: impl IntoIterator<Item = Bdd>,
    limit: usize,
    bdds: &mut Bdds,
) -> Option<Vec<Bdd>> {
    let mut classes: Vec<Bdd> = if letters == Bdd::FALSE {
        Vec::new()
    } else {
        vec![letters]
    };
    let mut seen = FxHashSet::default();
    for label in labels {
        if label == Bdd::TRUE || !seen.insert(label) {
            continue;
        }
        let mut split = Vec::with_capacity(classes.len() * 2);
        for class in classes {
            let (inside, outside) = (bdds.and(class, label), bdds.difference(class, label));
            split.extend([inside, outside].into_iter().filter(|part| *part != Bdd::FALSE));
        }
        if split.len() > limit {
            return None;
        }
        classes = split;
    }
    Some(classes)
}
