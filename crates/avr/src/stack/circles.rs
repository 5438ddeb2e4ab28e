//! Functions that call each other in circles, and how often the user lets them.
//!
//! Idea: the circles are the strongly connected components of the call graph. Within one, a budget says how
//! many more activations of each of its functions there may be; calling into another component begins with a
//! new budget.
//!
//! Invariant: if limits break every circle ([`Components::unbroken`] is empty), every path with a budget
//! ends.

use std::collections::{BTreeMap, BTreeSet};

use kripke_graph::Edge;

use crate::flow::Flow;

/// Functions that call each other in circles.
pub struct Components {
    /// The component of each function.
    of: BTreeMap<u32, usize>,
    /// The functions of each component.
    members: Vec<Vec<u32>>,
    callees: BTreeMap<u32, BTreeSet<u32>>,
    /// How often a function can be on the stack.
    limits: BTreeMap<u32, u32>,
}

impl Components {
    /// The circles of a program, and how often its functions can be on the stack.
    pub fn new(flow: &Flow, limits: &BTreeMap<u32, u32>) -> Self {
        let callees: BTreeMap<u32, BTreeSet<u32>> = flow
            .activations
            .iter()
            .map(|(entry, activation)| {
                let targets = activation.calls.iter().flat_map(|call| &call.targets);
                (*entry, targets.copied().collect())
            })
            .collect();
        let members = components(&callees);
        let mut of = BTreeMap::new();
        for (index, members) in members.iter().enumerate() {
            of.extend(members.iter().map(|member| (*member, index)));
        }
        Self {
            of,
            members,
            callees,
            limits: limits.clone(),
        }
    }

    fn is_circle(&self, component: usize) -> bool {
        match &self.members[component][..] {
            [only] => self
                .callees
                .get(only)
                .is_some_and(|callees| callees.contains(only)),
            _ => true,
        }
    }

    /// Per circle: the limits of its functions.
    pub fn limits_of_circles(&self) -> Vec<Vec<u32>> {
        let circles = (0..self.members.len()).filter(|component| self.is_circle(*component));
        circles
            .map(|component| {
                let members = self.members[component].iter();
                members
                    .filter_map(|member| self.limits.get(member).copied())
                    .collect()
            })
            .collect()
    }

    /// What is left of the limits when a circle is entered at this function.
    pub fn budget(&self, entry: u32) -> Vec<u32> {
        let Some(component) = self
            .of
            .get(&entry)
            .filter(|component| self.is_circle(**component))
        else {
            return Vec::new();
        };
        let members = self.members[*component].iter();
        members
            .map(|member| match self.limits.get(member) {
                Some(limit) if *member == entry => limit.saturating_sub(1),
                Some(limit) => *limit,
                None => u32::MAX,
            })
            .collect()
    }

    /// What is left after a call, if the limits permit it. Leaving a circle begins anew.
    pub fn after_call(&self, caller: u32, callee: u32, budget: &[u32]) -> Option<Vec<u32>> {
        let component = self.of.get(&callee)?;
        if self.of.get(&caller) != Some(component) || budget.is_empty() {
            return Some(self.budget(callee));
        }
        let place = self.members[*component]
            .iter()
            .position(|member| *member == callee)?;
        let mut left = budget.to_vec();
        if left[place] != u32::MAX {
            left[place] = left[place].checked_sub(1)?;
        }
        Some(left)
    }

    /// A budget for a callee less one activation of a function, if that is in a circle with it.
    pub fn without(&self, function: u32, callee: u32, mut budget: Vec<u32>) -> Option<Vec<u32>> {
        let component = self.of.get(&callee)?;
        let mut members = self.members[*component].iter();
        let place = members.position(|member| *member == function);
        match place.and_then(|place| budget.get_mut(place)) {
            Some(left) if *left != u32::MAX => *left = left.checked_sub(1)?,
            _ => {}
        }
        Some(budget)
    }

    /// The circles that no limit breaks.
    pub fn unbroken(&self, reached: &BTreeSet<u32>) -> Vec<Vec<u32>> {
        let limits = &self.limits;
        let mut left: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for entry in reached.iter().filter(|entry| !limits.contains_key(entry)) {
            let callees = self.callees.get(entry).into_iter().flatten();
            let unlimited = callees.filter(|callee| !limits.contains_key(callee));
            left.insert(*entry, unlimited.copied().collect());
        }
        let is_circle = |members: &Vec<u32>| {
            members.len() > 1
                || left
                    .get(&members[0])
                    .is_some_and(|callees| callees.contains(&members[0]))
        };
        let mut circles: Vec<Vec<u32>> = components(&left).into_iter().filter(is_circle).collect();
        circles.iter_mut().for_each(|members| members.sort_unstable());
        circles.sort();
        circles
    }
}

/// Strongly connected components, callees first.
fn components(callees: &BTreeMap<u32, BTreeSet<u32>>) -> Vec<Vec<u32>> {
    let targets = callees.values().flatten();
    let entries: BTreeSet<u32> = callees.keys().chain(targets).copied().collect();
    let entries: Vec<u32> = entries.into_iter().collect();
    let numbered = |entry: &u32| entries.binary_search(entry).ok();
    let edges: Vec<Vec<usize>> = entries
        .iter()
        .map(|entry| {
            callees
                .get(entry)
                .into_iter()
                .flatten()
                .filter_map(numbered)
                .collect()
        })
        .collect();
    let roots = callees.keys().filter_map(numbered);
    let found = kripke_graph::components(entries.len(), roots, |node, position| {
        edges[node].get(position).map_or(Edge::End, |to| Edge::To(*to))
    });
    let named = |members: Vec<usize>| members.into_iter().map(|member| entries[member]).collect();
    found.into_iter().map(named).collect()
}
