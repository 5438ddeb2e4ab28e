//! Three toy models, step by step the same as the Promela ones in `benches/explicit`: the state counts are
//! equal.
//!
//! A variable takes a byte, as it does there.

use kripke_model::{Choice, KripkeStructure, Labels, Visit};

/// The most bytes a toy's state has.
const LARGEST: usize = 256;

/// Peterson's algorithm: per process its place, `l` and `k`; then `level` and `last`, then how many are
/// inside.
#[derive(Clone, Copy, Debug)]
pub struct Peterson {
    /// How many processes there are.
    pub processes: usize,
}

const IDLE: u8 = 0;
const ENTER: u8 = 1;
const WAIT: u8 = 2;
const CRITICAL: u8 = 3;

impl KripkeStructure for Peterson {
    fn state_size(&self) -> usize {
        5 * self.processes + 1
    }

    fn fork(&self) -> Option<Self> {
        Some(*self)
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        let mut state = [0; LARGEST];
        for process in 0..self.processes {
            state[3 * process + 1] = 1;
        }
        emit(&state[..self.state_size()]);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let n = self.processes;
        let (levels, lasts, inside) = (3 * n, 4 * n, 5 * n);
        let mut buffer = [0; LARGEST];
        let next = &mut buffer[..state.len()];
        for process in 0..n {
            let (place, l, k) = (3 * process, 3 * process + 1, 3 * process + 2);
            let (level, at) = (state[l], usize::from(state[k]));
            next.copy_from_slice(state);
            match state[place] {
                IDLE => {
                    next[levels + process] = 1;
                    next[place] = ENTER;
                }
                ENTER => {
                    next[lasts + usize::from(level)] = process as u8;
                    next[place] = WAIT;
                }
                WAIT if at < n => {
                    if at == process || state[levels + at] < level {
                        next[k] += 1;
                    } else if usize::from(state[lasts + usize::from(level)]) != process {
                        next[k] = n as u8;
                    } else {
                        continue;
                    }
                }
                WAIT if usize::from(level) < n - 1 => {
                    next[l] += 1;
                    next[k] = 0;
                    next[levels + process] = level + 1;
                    next[place] = ENTER;
                }
                WAIT => {
                    next[inside] += 1;
                    next[place] = CRITICAL;
                }
                _ => {
                    next[inside] -= 1;
                    next[levels + process] = 0;
                    next[l] = 1;
                    next[k] = 0;
                    next[place] = IDLE;
                }
            }
            if emit(process as Choice, next).is_break() {
                return;
            }
        }
    }

    /// Somebody is inside; more than one is.
    fn labels(&mut self, state: &[u8]) -> Labels {
        let inside = state[5 * self.processes];
        Labels::from(inside == 1) | Labels::from(inside > 1) << 1
    }
}

/// Dining philosophers: their places, the forks, how many eat. The last one takes the forks in the other
/// order.
#[derive(Clone, Copy, Debug)]
pub struct Philosophers {
    /// How many there are.
    pub count: usize,
}

impl KripkeStructure for Philosophers {
    fn state_size(&self) -> usize {
        2 * self.count + 1
    }

    fn fork(&self) -> Option<Self> {
        Some(*self)
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        emit(&[0; LARGEST][..self.state_size()]);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let n = self.count;
        let mut buffer = [0; LARGEST];
        let next = &mut buffer[..state.len()];
        for philosopher in 0..n {
            let (first, second) = match philosopher + 1 {
                last if last == n => (n, n + philosopher),
                next => (n + philosopher, n + next),
            };
            next.copy_from_slice(state);
            next[philosopher] += 1;
            match state[philosopher] {
                0 => {}
                1 if state[first] == 0 => next[first] = 1,
                2 if state[second] == 0 => {
                    next[second] = 1;
                    next[2 * n] += 1;
                }
                3 => {
                    next[2 * n] -= 1;
                    next[first] = 0;
                }
                4 => {
                    next[second] = 0;
                    next[philosopher] = 0;
                }
                _ => continue,
            }
            if emit(philosopher as Choice, next).is_break() {
                return;
            }
        }
    }

    /// Somebody eats; more eat than there are forks for.
    fn labels(&mut self, state: &[u8]) -> Labels {
        let eating = usize::from(state[2 * self.count]);
        Labels::from(eating > 0) | Labels::from(eating > self.count / 2) << 1
    }
}

/// Leader election by Chang and Roberts: who has started, the channel to each node (length, messages), and
/// the number of leaders.
#[derive(Clone, Copy, Debug)]
pub struct Election {
    /// How many nodes there are; not a multiple of three.
    pub nodes: usize,
}

impl Election {
    fn channel(&self, node: usize) -> usize {
        self.nodes + node * (self.nodes + 1)
    }

    fn number(&self, node: usize) -> u8 {
        ((node * 3) % self.nodes + 1) as u8
    }

    fn send(&self, state: &mut [u8], node: usize, message: u8) -> bool {
        let channel = self.channel((node + 1) % self.nodes);
        let length = usize::from(state[channel]);
        if length == self.nodes {
            return false;
        }
        state[channel + 1 + length] = message;
        state[channel] += 1;
        true
    }
}

impl KripkeStructure for Election {
    fn state_size(&self) -> usize {
        self.channel(self.nodes) + 1
    }

    fn fork(&self) -> Option<Self> {
        Some(*self)
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        emit(&[0; LARGEST][..self.state_size()]);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let leaders = self.state_size() - 1;
        let mut buffer = [0; LARGEST];
        let next = &mut buffer[..state.len()];
        for node in 0..self.nodes {
            let (channel, number) = (self.channel(node), self.number(node));
            next.copy_from_slice(state);
            if state[node] == 0 {
                next[node] = 1;
                if !self.send(next, node, number) {
                    continue;
                }
            } else if state[channel] > 0 {
                let message = state[channel + 1];
                next.copy_within(channel + 2..channel + 1 + self.nodes, channel + 1);
                next[channel + self.nodes] = 0;
                next[channel] -= 1;
                if message == number {
                    next[leaders] += 1;
                } else if message > number && !self.send(next, node, message) {
                    continue;
                }
            } else {
                continue;
            }
            if emit(node as Choice, next).is_break() {
                return;
            }
        }
    }

    /// There is a leader; there are more.
    fn labels(&mut self, state: &[u8]) -> Labels {
        let leaders = state[self.state_size() - 1];
        Labels::from(leaders == 1) | Labels::from(leaders > 1) << 1
    }
}
