//! A persistent map from numbers to values, for the states of the symbolic execution.
//!
//! Idea: a radix trie of fan-out 16 whose nodes are shared. Copying a map is one reference count;
//! writing copies one path. Two maps that stem from a common ancestor share every node that neither
//! has written since, so merging and comparing them costs what differs, not what there is.
//!
//! Invariant: a map of height `h` holds keys below `16^(h+1)`; leaves have height 0.
//! Rejected: hash array mapped tries of a library, which have no merge that skips shared parts.

use std::rc::Rc;

const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// The map.
pub struct PersistentMap<T> {
    root: Option<Rc<Node<T>>>,
    height: u32,
}

enum Node<T> {
    Inner([Option<Rc<Node<T>>>; FAN_OUT]),
    Leaf([Option<T>; FAN_OUT]),
}

impl<T> Clone for PersistentMap<T> {
    fn clone(&self) -> Self {
        PersistentMap {
            root: self.root.clone(),
            height: self.height,
        }
    }
}

impl<T> Default for PersistentMap<T> {
    fn default() -> Self {
        PersistentMap {
            root: None,
            height: 0,
        }
    }
}

impl<T: Clone> Clone for Node<T> {
    fn clone(&self) -> Self {
        match self {
            Node::Inner(children) => Node::Inner(children.clone()),
            Node::Leaf(items) => Node::Leaf(items.clone()),
        }
    }
}

fn digit(key: u64, height: u32) -> usize {
    (key >> (BITS * height)) as usize & (FAN_OUT - 1)
}

fn fits(key: u64, height: u32) -> bool {
    let shift = BITS * (height + 1);
    shift >= u64::BITS || key >> shift == 0
}

impl<T: Clone> PersistentMap<T> {
    /// The value of a key.
    pub fn get(&self, key: u64) -> Option<&T> {
        if !fits(key, self.height) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Inner(children) => node = children[digit(key, height)].as_deref()?,
                Node::Leaf(items) => return items[digit(key, 0)].as_ref(),
            }
            height -= 1;
        }
    }

    /// Sets a key.
    pub fn set(&mut self, key: u64, value: T) {
        while !fits(key, self.height) {
            self.raise();
        }
        let mut height = self.height;
        let mut slot = &mut self.root;
        loop {
            let node = Rc::make_mut(slot.get_or_insert_with(|| Rc::new(Node::empty(height))));
            match node {
                Node::Inner(children) => slot = &mut children[digit(key, height)],
                Node::Leaf(items) => {
                    items[digit(key, 0)] = Some(value);
                    return;
                }
            }
            height -= 1;
        }
    }

    /// Removes a key.
    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        let mut height = self.height;
        let mut slot = &mut self.root;
        while let Some(node) = slot {
            match Rc::make_mut(node) {
                Node::Inner(children) => slot = &mut children[digit(key, height)],
                Node::Leaf(items) => {
                    items[digit(key, 0)] = None;
                    return;
                }
            }
            height -= 1;
        }
    }

    fn raise(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children: [Option<Rc<Node<T>>>; FAN_OUT] = Default::default();
            children[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(children)));
        }
        self.height += 1;
    }

    /// Calls `visit` for each entry with `low <= key < high`, by rising key.
    pub fn for_range<'a>(&'a self, low: u64, high: u64, visit: &mut impl FnMut(u64, &'a T)) {
        if let Some(root) = &self.root {
            root.for_range(0, self.height, low, high, visit);
        }
    }

    /// Calls `visit` for each entry, by rising key.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(u64, &'a T)) {
        self.for_range(0, u64::MAX, visit);
    }

    /// Are the two the same node? Then they are equal; the converse need not hold.
    pub fn same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Joins two maps: `join` sees each key whose entries are not shared and decides what the result has.
    pub fn merge(
        &self,
        other: &Self,
        join: &mut impl FnMut(u64, Option<&T>, Option<&T>) -> Option<T>,
    ) -> Self {
        if self.same(other) {
            return self.clone();
        }
        let (mut left, mut right) = (self.clone(), other.clone());
        while left.height < right.height {
            left.raise();
        }
        while right.height < left.height {
            right.raise();
        }
        let root = merge_nodes(left.root.as_ref(), right.root.as_ref(), left.height, 0, join);
        PersistentMap {
            root,
            height: left.height,
        }
    }

    /// Calls `visit` for each key whose entries the two maps do not share.
    pub fn differences(&self, other: &Self, visit: &mut impl FnMut(u64, Option<&T>, Option<&T>)) {
        if self.same(other) {
            return;
        }
        let (mut left, mut right) = (self.clone(), other.clone());
        while left.height < right.height {
            left.raise();
        }
        while right.height < left.height {
            right.raise();
        }
        visit_differences(left.root.as_ref(), right.root.as_ref(), left.height, 0, visit);
    }
}

impl<T: Clone> Node<T> {
    fn empty(height: u32) -> Self {
        if height == 0 {
            Node::Leaf(Default::default())
        } else {
            Node::Inner(Default::default())
        }
    }

    fn for_range<'a>(
        &'a self,
        base: u64,
        height: u32,
        low: u64,
        high: u64,
        visit: &mut impl FnMut(u64, &'a T),
    ) {
        match self {
            Node::Inner(children) => {
                let span = BITS * height;
                for (index, child) in children.iter().enumerate() {
                    let Some(child) = child else { continue };
                    let start = base + ((index as u64) << span);
                    let last = start + ((1u64 << span) - 1);
                    if last >= low && start < high {
                        child.for_range(start, height - 1, low, high, visit);
                    }
                }
            }
            Node::Leaf(items) => {
                for (index, item) in items.iter().enumerate() {
                    let key = base + index as u64;
                    if let Some(item) = item
                        && key >= low
                        && key < high
                    {
                        visit(key, item);
                    }
                }
            }
        }
    }
}

fn child<T>(node: Option<&Rc<Node<T>>>, index: usize) -> Option<&Rc<Node<T>>> {
    match node.map(Rc::as_ref) {
        Some(Node::Inner(children)) => children[index].as_ref(),
        _ => None,
    }
}

fn item<T>(node: Option<&Rc<Node<T>>>, index: usize) -> Option<&T> {
    match node.map(Rc::as_ref) {
        Some(Node::Leaf(items)) => items[index].as_ref(),
        _ => None,
    }
}

fn shared<T>(left: Option<&Rc<Node<T>>>, right: Option<&Rc<Node<T>>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

fn merge_nodes<T: Clone>(
    left: Option<&Rc<Node<T>>>,
    right: Option<&Rc<Node<T>>>,
    height: u32,
    base: u64,
    join: &mut impl FnMut(u64, Option<&T>, Option<&T>) -> Option<T>,
) -> Option<Rc<Node<T>>> {
    if shared(left, right) {
        return left.cloned();
    }
    if height == 0 {
        let mut items: [Option<T>; FAN_OUT] = Default::default();
        for (index, slot) in items.iter_mut().enumerate() {
            let (a, b) = (item(left, index), item(right, index));
            if a.is_some() || b.is_some() {
                *slot = join(base + index as u64, a, b);
            }
        }
        return Some(Rc::new(Node::Leaf(items)));
    }
    let mut children: [Option<Rc<Node<T>>>; FAN_OUT] = Default::default();
    for (index, slot) in children.iter_mut().enumerate() {
        let start = base + ((index as u64) << (BITS * height));
        *slot = merge_nodes(child(left, index), child(right, index), height - 1, start, join);
    }
    Some(Rc::new(Node::Inner(children)))
}

fn visit_differences<T: Clone>(
    left: Option<&Rc<Node<T>>>,
    right: Option<&Rc<Node<T>>>,
    height: u32,
    base: u64,
    visit: &mut impl FnMut(u64, Option<&T>, Option<&T>),
) {
    if shared(left, right) {
        return;
    }
    for index in 0..FAN_OUT {
        if height == 0 {
            let (a, b) = (item(left, index), item(right, index));
            if a.is_some() || b.is_some() {
                visit(base + index as u64, a, b);
            }
        } else {
            let start = base + ((index as u64) << (BITS * height));
            visit_differences(child(left, index), child(right, index), height - 1, start, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(map: &PersistentMap<u32>) -> Vec<(u64, u32)> {
        let mut all = Vec::new();
        map.for_each(&mut |key, value| all.push((key, *value)));
        all
    }

    #[test]
    fn sets_gets_removes_over_several_heights() {
        let mut map = PersistentMap::default();
        for key in [0u64, 5, 15, 16, 255, 256, 1 << 20, 1 << 40, u64::MAX - 1] {
            map.set(key, key as u32);
        }
        let copy = map.clone();
        map.remove(16);
        map.set(5, 7);
        assert_eq!(map.get(16), None);
        assert_eq!(map.get(5), Some(&7));
        assert_eq!(copy.get(16), Some(&16));
        assert_eq!(copy.get(5), Some(&5));
        assert_eq!(copy.get(1 << 40), Some(&((1u64 << 40) as u32)));
        assert_eq!(copy.get(3), None);
        assert_eq!(entries(&copy).len(), 9);
        let mut some = Vec::new();
        copy.for_range(15, 257, &mut |key, _| some.push(key));
        assert_eq!(some, [15, 16, 255, 256]);
    }

    #[test]
    fn merging_visits_only_what_differs() {
        let mut base = PersistentMap::default();
        for key in 0..1000u64 {
            base.set(key, 1);
        }
        let (mut left, mut right) = (base.clone(), base.clone());
        left.set(3, 2);
        right.set(700, 3);
        right.set(5000, 4);
        let mut visited = 0;
        let merged = left.merge(&right, &mut |_, a, b| {
            visited += 1;
            Some(a.copied().unwrap_or(0).max(b.copied().unwrap_or(0)))
        });
        assert!(visited <= 48, "{visited}");
        assert_eq!(merged.get(3), Some(&2));
        assert_eq!(merged.get(700), Some(&3));
        assert_eq!(merged.get(5000), Some(&4));
        assert_eq!(merged.get(999), Some(&1));
    }
}
