//! What can be reached from some nodes.

use std::collections::BTreeSet;

/// The roots, and every node that can be reached from them over `successors`.
pub fn reachable<N: Copy + Ord, S: IntoIterator<Item = N>>(
    roots: impl IntoIterator<Item = N>,
    mut successors: impl FnMut(N) -> S,
) -> BTreeSet<N> {
    let mut open: Vec<N> = roots.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(node) = open.pop() {
        if reached.insert(node) {
            open.extend(successors(node));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn cycles_and_what_is_not_reached() {
        let edges = [vec![1], vec![2, 0], vec![2], vec![0, 4], vec![]];
        let from = |roots: &[usize]| -> Vec<usize> {
            let reached = reachable(roots.iter().copied(), |node| edges[node].iter().copied());
            reached.into_iter().collect()
        };
        assert_eq!(from(&[]), []);
        assert_eq!(from(&[0]), [0, 1, 2]);
        assert_eq!(from(&[3, 2]), [0, 1, 2, 3, 4]);
    }
}
