//! The deepest stack, without running the program.
//!
//! Idea: [`crate::flow`] knows how high the stack pointer is at every instruction of every function, and
//! whether an interrupt can come there. The deepest stack is then a longest path through the call graph; on
//! top of it the deepest handler, at the deepest place where interrupts are enabled. A handler that enables
//! interrupts can be interrupted by any handler, itself included, so that only a limit of the user's bounds
//! the nesting.
//!
//! Depths are computed for three kinds of places ([`Places`]): all of them; those where interrupts are
//! enabled if they were at the call; those where they are enabled in any case.
//!
//! Invariant: if there is no [`Cause`], no run that satisfies the limits given has a deeper stack. With
//! causes, the depth is that of what is known.
//!
//! Source: the depth with interrupts follows Regehr, Reid and Webb (TECS 2005) and Brylow, Damgaard and
//! Palsberg (ICSE 2001).

mod circles;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use crate::device::Device;
use crate::flow::{Activation, Flow, Height, Issue, IssueKind, Level, Point};
use crate::image::Image;
use crate::instruction::Operation;
use circles::Components;

/// Limits that the user vouches for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Handlers that are active at once, at the most.
    pub nesting: Option<u32>,
    /// Interrupts that never come, by index among the device's vectors.
    pub never: BTreeSet<usize>,
    /// How many activations of a function are on the stack at once, at the most, by the function's entry.
    pub recursion: BTreeMap<u32, u32>,
}

/// Larger products of the limits of functions that call each other are refused.
const MOST_BUDGETS: u64 = 100_000;

/// The limits of recursion are too large to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooManyActivations {
    /// How many combinations there are.
    pub combinations: u64,
}

impl fmt::Display for TooManyActivations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "limits of recursion with {} combinations are too many; give smaller ones, or one for each \
             circle \
             of functions",
            self.combinations
        )
    }
}

impl std::error::Error for TooManyActivations {}

/// Why the depth is not all there is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Something at an instruction, in the activation of a function.
    Issue {
        /// The function's entry.
        entry: u32,
        /// The instruction.
        issue: Issue,
    },
    /// Functions call each other in a circle.
    Recursion {
        /// Their entries.
        functions: Vec<u32>,
    },
    /// Handlers enable interrupts, and can be interrupted.
    Nesting {
        /// Their entries.
        handlers: Vec<u32>,
    },
    /// The stack is used where the stack pointer is not in static memory.
    OutsideMemory {
        /// The instruction.
        at: u32,
    },
}

/// What happens at the end of a level of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// A call.
    Call,
    /// An interrupt, by its index among the device's vectors.
    Interrupt(usize),
    /// Nothing: this is the deepest place.
    Nothing,
}

/// A level of the path to the deepest place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Entry of the function.
    pub entry: u32,
    /// Where it calls, is interrupted, or is deepest: a word address.
    pub at: u32,
    /// What happens there.
    pub leaves: Leaves,
    /// Bytes on the stack at this level, with the return address that is pushed at its end.
    pub bytes: u32,
}

/// What a function needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Its entry.
    pub entry: u32,
    /// Bytes of its own, with its return address.
    pub own: u32,
    /// Bytes with all that it calls.
    pub total: u32,
}

/// What an interrupt needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandlerNeed {
    /// Index among the device's vectors.
    pub vector: usize,
    /// Word address of the vector.
    pub entry: u32,
    /// Bytes, with the return address and all that is called.
    pub bytes: u32,
    /// Bytes at the deepest place where the handler can be interrupted.
    pub interrupted: Option<u32>,
}

/// The result.
#[derive(Debug, Clone)]
pub struct Depth {
    /// Bytes at the deepest place.
    pub bytes: u32,
    /// The path there, from reset.
    pub path: Vec<Step>,
    /// What is not in it.
    pub causes: Vec<Cause>,
    /// The stack pointer as the start-up code sets it.
    pub initial: u16,
    /// The address of the first byte behind static data.
    pub data_end: u32,
    /// Whether the image says where static data ends.
    pub knows_data: bool,
    /// What each function needs, the greatest first.
    pub functions: Vec<Need>,
    /// What each handler needs, in the order of the vectors.
    pub handlers: Vec<HandlerNeed>,
    /// Entries of the functions that can be on the stack.
    pub reached: BTreeSet<u32>,
}

impl Depth {
    /// Bytes between static data and the initial stack pointer.
    #[must_use]
    pub fn available(&self) -> u32 {
        (u32::from(self.initial) + 1).saturating_sub(self.data_end)
    }

    /// Whether the stack, as far as it is known, stays clear of static data.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.bytes <= self.available()
    }
}

/// The deepest stack of a program.
///
/// # Errors
/// If the limits of recursion are too large.
pub fn depth(
    flow: &Flow,
    image: &Image,
    device: &Device,
    options: &Options,
) -> Result<Depth, TooManyActivations> {
    let initial = initial_pointer(flow, device);
    let mut search = Search {
        flow,
        image,
        initial,
        address_bytes: u32::from(device.pc_bytes),
        components: Components::new(flow, &options.recursion),
        options,
        known: HashMap::new(),
        open: BTreeSet::new(),
    };
    search.check_limits()?;
    let handlers = search.handlers();
    let interrupts = search.interrupts(&handlers);
    let start = match flow.restarted {
        Some(level) if level > Level::Clear => Places::AsCalled,
        _ => Places::Enabled,
    };
    let alone = search.deepest(0, Places::All);
    let below = search.deepest(0, start);
    let mut bytes = alone.map_or(0, |best| best.bytes);
    let mut path = search.path(0, Places::All, Leaves::Nothing);
    if let (Some(below), Leaves::Interrupt(_)) = (below, interrupts.entered)
        && below.bytes + interrupts.bytes > bytes
    {
        bytes = below.bytes + interrupts.bytes;
        path = search.path(0, start, interrupts.entered);
        path.extend(interrupts.path.iter().copied());
    }
    let (reached, causes) = search.causes(&handlers, start, &interrupts, device);
    let (data_end, knows_data) = data_end(image, device);
    Ok(Depth {
        bytes,
        path,
        causes,
        initial,
        data_end,
        knows_data,
        functions: search.needs(&reached),
        handlers,
        reached,
    })
}

/// The highest address that the stack pointer has between reset and the first call.
fn initial_pointer(flow: &Flow, device: &Device) -> u16 {
    let last = (device.sram.end().saturating_sub(1)).min(0xFFFF) as u16;
    let addresses = flow.activations.get(&0).into_iter().flat_map(|reset| {
        reset.points.iter().filter_map(|point| match point.height {
            Height::Absolute(at) if u32::from(at) >= device.sram.start && at <= last => Some(at),
            _ => None,
        })
    });
    addresses.max().unwrap_or(last)
}

/// Where static data end, and whether that is known.
fn data_end(image: &Image, device: &Device) -> (u32, bool) {
    let end = image.static_end.map(|end| end.max(device.sram.start));
    (end.unwrap_or(device.sram.start), end.is_some())
}

/// Which places count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Places {
    /// Those where interrupts are enabled whoever calls.
    Enabled,
    /// Those where interrupts are enabled if they were at the call.
    AsCalled,
    /// All.
    All,
}

impl Places {
    /// Which places of a callee count, if it is called at this level.
    fn within(self, level: Level) -> Self {
        match (self, level) {
            (Self::All, _) => Self::All,
            (_, Level::Set) | (Self::AsCalled, Level::Entry) => Self::AsCalled,
            _ => Self::Enabled,
        }
    }

    fn has(self, level: Level) -> bool {
        match self {
            Self::All => true,
            Self::AsCalled => level >= Level::Entry,
            Self::Enabled => level == Level::Set,
        }
    }
}

/// The deepest place of a kind.
#[derive(Debug, Clone, Copy)]
struct Best {
    bytes: u32,
    at: u32,
    /// The callee that it is in, and its share.
    callee: Option<(u32, u32)>,
}

/// Interrupts on top of each other.
struct Interrupts {
    bytes: u32,
    entered: Leaves,
    path: Vec<Step>,
    /// Handlers that can be interrupted, where no limit says how often.
    unlimited: Vec<u32>,
}

struct Search<'a> {
    flow: &'a Flow,
    image: &'a Image,
    initial: u16,
    address_bytes: u32,
    components: Components,
    options: &'a Options,
    known: HashMap<(u32, Places, Vec<u32>), Option<Best>>,
    /// Functions on the path under way.
    open: BTreeSet<(u32, Vec<u32>)>,
}

impl Search<'_> {
    fn check_limits(&self) -> Result<(), TooManyActivations> {
        for limited in self.components.limits_of_circles() {
            let combinations = limited
                .iter()
                .fold(1_u64, |all, limit| all.saturating_mul(u64::from(*limit) + 1));
            if combinations > MOST_BUDGETS {
                return Err(TooManyActivations { combinations });
            }
        }
        Ok(())
    }

    /// Bytes between the stack pointer at entry and here.
    fn local(&self, height: Height) -> u32 {
        match height {
            Height::Entry(place) => u32::from((-i32::from(place)).max(0) as u16),
            Height::Absolute(at) => u32::from(self.initial.saturating_sub(at)),
            _ => 0,
        }
    }

    /// Bytes on the stack at a place, of those that count. While start-up code sets the stack pointer it is
    /// anywhere, but only pushes use it.
    fn at_point(&self, point: &Point, places: Places) -> Option<u32> {
        if !places.has(point.level) {
            return None;
        }
        let pushed = self.pushed_at(point.at);
        match point.height {
            Height::Absolute(at) if at > self.initial => None,
            Height::Absolute(_) if places == Places::All && pushed == 0 => Some(0),
            Height::Absolute(_) if places == Places::All => Some(self.local(point.height) + pushed),
            height => Some(self.local(height)),
        }
    }

    /// Bytes that the instruction pushes, calls of other functions excepted.
    fn pushed_at(&self, at: u32) -> u32 {
        match self.flow.program.get(at as usize) {
            Some(instruction) if instruction.operation == Operation::Push => 1,
            Some(instruction) if instruction.operation == Operation::Rcall && instruction.k == 0 => {
                self.address_bytes
            }
            _ => 0,
        }
    }

    /// What is left of the limits in a callee. A function that has been jumped to is on the stack too.
    fn after_call(&self, caller: u32, at: u32, callee: u32, budget: &[u32]) -> Option<Vec<u32>> {
        let left = self.components.after_call(caller, callee, budget)?;
        let inside = self.image.function_at(at * 2).map(|symbol| symbol.address / 2);
        match inside.filter(|inside| *inside != caller) {
            Some(inside) => self.components.without(inside, callee, left),
            None => Some(left),
        }
    }

    fn deepest(&mut self, entry: u32, places: Places) -> Option<Best> {
        let budget = self.components.budget(entry);
        self.within(entry, places, budget)
    }

    /// The deepest place of a function, with a budget of activations for the functions that it is in a circle
    /// with.
    fn within(&mut self, entry: u32, places: Places, budget: Vec<u32>) -> Option<Best> {
        let key = (entry, places, budget);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let flow = self.flow;
        let activation = flow.activations.get(&entry)?;
        let (_, _, budget) = &key;
        let budget = budget.clone();
        self.open.insert((entry, budget.clone()));
        let mut best: Option<Best> = None;
        for point in &activation.points {
            let Some(bytes) = self.at_point(point, places) else {
                continue;
            };
            if best.is_none_or(|best| bytes > best.bytes) {
                best = Some(Best {
                    bytes,
                    at: point.at,
                    callee: None,
                });
            }
        }
        for call in &activation.calls {
            for target in &call.targets {
                let Some(budget) = self.after_call(entry, call.at, *target, &budget) else {
                    continue;
                };
                if self.open.contains(&(*target, budget.clone())) {
                    continue;
                }
                let Some(callee) = self.within(*target, places.within(call.level), budget) else {
                    continue;
                };
                let share = callee.bytes + self.address_bytes;
                let bytes = self.local(call.height) + share;
                if best.is_none_or(|best| bytes > best.bytes) {
                    best = Some(Best {
                        bytes,
                        at: call.at,
                        callee: Some((*target, share)),
                    });
                }
            }
        }
        self.open.remove(&(entry, budget));
        self.known.insert(key, best);
        best
    }

    /// The levels from a function to its deepest place.
    fn path(&mut self, entry: u32, places: Places, leaves: Leaves) -> Vec<Step> {
        let mut path = Vec::new();
        let (mut entry, mut places) = (entry, places);
        let mut budget = self.components.budget(entry);
        while let Some(best) = self.within(entry, places, budget.clone()) {
            let Some((callee, share)) = best.callee else {
                let pushed = match leaves {
                    Leaves::Nothing => 0,
                    _ => self.address_bytes,
                };
                path.push(Step {
                    entry,
                    at: best.at,
                    leaves,
                    bytes: best.bytes + pushed,
                });
                break;
            };
            path.push(Step {
                entry,
                at: best.at,
                leaves: Leaves::Call,
                bytes: best.bytes - share + self.address_bytes,
            });
            let Some(next) = self.callee(entry, places, &budget, &best, callee) else {
                break;
            };
            (entry, places, budget) = next;
        }
        path
    }

    /// Under which kind of places and budget the callee of the deepest place was looked at.
    fn callee(
        &mut self,
        entry: u32,
        places: Places,
        budget: &[u32],
        best: &Best,
        callee: u32,
    ) -> Option<(u32, Places, Vec<u32>)> {
        let flow = self.flow;
        let (_, share) = best.callee?;
        let budget = self.after_call(entry, best.at, callee, budget)?;
        let calls = flow.activations.get(&entry)?.calls.iter();
        let mut calls = calls.filter(|call| call.at == best.at && call.targets.contains(&callee));
        calls.find_map(|call| {
            let places = places.within(call.level);
            let found = self.within(callee, places, budget.clone())?;
            let same = self.local(call.height) + share == best.bytes;
            (same && found.bytes + self.address_bytes == share).then(|| (callee, places, budget.clone()))
        })
    }

    fn handlers(&mut self) -> Vec<HandlerNeed> {
        let flow = self.flow;
        let wanted = flow
            .handlers
            .iter()
            .filter(|(index, _)| !self.options.never.contains(index));
        let wanted: Vec<(usize, u32)> = wanted.copied().collect();
        wanted
            .into_iter()
            .map(|(vector, entry)| {
                let bytes = self.deepest(entry, Places::All).map_or(0, |best| best.bytes);
                let interrupted = self.deepest(entry, Places::Enabled).map(|best| best.bytes);
                HandlerNeed {
                    vector,
                    entry,
                    bytes: bytes + self.address_bytes,
                    interrupted: interrupted.map(|bytes| bytes + self.address_bytes),
                }
            })
            .collect()
    }

    /// The deepest stack of handlers.
    fn interrupts(&mut self, handlers: &[HandlerNeed]) -> Interrupts {
        let open: Vec<u32> = handlers
            .iter()
            .filter(|handler| handler.interrupted.is_some())
            .map(|handler| handler.entry)
            .collect();
        let (levels, unlimited) = match self.options.nesting {
            Some(limit) if open.is_empty() => (limit.min(1), Vec::new()),
            Some(limit) => (limit, Vec::new()),
            None => (1, open),
        };
        let mut nest = Interrupts {
            bytes: 0,
            entered: Leaves::Nothing,
            path: Vec::new(),
            unlimited,
        };
        for _ in 0..levels {
            let Some((bytes, handler, interrupted)) = deepest_handler(handlers, nest.bytes) else {
                break;
            };
            let places = if interrupted { Places::Enabled } else { Places::All };
            let leaves = if interrupted {
                nest.entered
            } else {
                Leaves::Nothing
            };
            let mut path = self.path(handler.entry, places, leaves);
            if interrupted {
                path.append(&mut nest.path);
            }
            nest = Interrupts {
                bytes,
                entered: Leaves::Interrupt(handler.vector),
                path,
                ..nest
            };
        }
        nest
    }

    fn needs(&mut self, reached: &BTreeSet<u32>) -> Vec<Need> {
        let flow = self.flow;
        let mut needs: Vec<Need> = Vec::new();
        for entry in reached {
            let Some(activation) = flow.activations.get(entry) else {
                continue;
            };
            let points = activation.points.iter();
            let own = points
                .filter_map(|point| self.at_point(point, Places::All))
                .max()
                .unwrap_or_default();
            let total = self.deepest(*entry, Places::All).map_or(0, |best| best.bytes);
            let pushed = if *entry == 0 { 0 } else { self.address_bytes };
            needs.push(Need {
                entry: *entry,
                own: own + pushed,
                total: total + pushed,
            });
        }
        needs.sort_by_key(|need| (std::cmp::Reverse(need.total), need.entry));
        needs
    }

    /// The functions that can be on the stack, and what is not known of them.
    fn causes(
        &self,
        handlers: &[HandlerNeed],
        start: Places,
        interrupts: &Interrupts,
        device: &Device,
    ) -> (BTreeSet<u32>, Vec<Cause>) {
        let mut seen: BTreeSet<(u32, Places)> = BTreeSet::new();
        let mut open = vec![(0, start)];
        if self.options.nesting != Some(0) {
            open.extend(handlers.iter().map(|handler| (handler.entry, Places::Enabled)));
        }
        let mut causes = BTreeSet::new();
        while let Some((entry, places)) = open.pop() {
            let Some(activation) = self.flow.activations.get(&entry) else {
                continue;
            };
            if !seen.insert((entry, places)) {
                continue;
            }
            for call in &activation.calls {
                let within = places.within(call.level);
                open.extend(call.targets.iter().map(|target| (*target, within)));
            }
            let matters = |issue: &&Issue| match issue.kind {
                IssueKind::TornStackPointer => {
                    !handlers.is_empty() && can_be_interrupted(activation, issue.at, places)
                }
                _ => true,
            };
            // One of a kind tells where to look.
            let mut kinds = BTreeSet::new();
            let issues = activation
                .issues
                .iter()
                .filter(matters)
                .filter(|issue| kinds.insert(issue.kind))
                .copied();
            causes.extend(issues.map(|issue| Cause::Issue { entry, issue }));
            causes.extend(self.outside(activation, device));
        }
        let reached: BTreeSet<u32> = seen.iter().map(|(entry, _)| *entry).collect();
        for functions in self.components.unbroken(&reached) {
            causes.insert(Cause::Recursion { functions });
        }
        if !interrupts.unlimited.is_empty() {
            let handlers = interrupts.unlimited.clone();
            causes.insert(Cause::Nesting { handlers });
        }
        (reached, causes.into_iter().collect())
    }

    /// A place where the stack is used while the stack pointer is not in static memory.
    fn outside(&self, activation: &Activation, device: &Device) -> Option<Cause> {
        let is_outside = |height: Height| match height {
            Height::Absolute(at) => u32::from(at) < device.sram.start || at > self.initial,
            _ => false,
        };
        let uses = |point: &&Point| point.level == Level::Set || self.pushed_at(point.at) > 0;
        let points = activation.points.iter().filter(uses);
        let calls = activation.calls.iter();
        let mut places = points
            .map(|point| (point.at, point.height))
            .chain(calls.map(|call| (call.at, call.height)));
        let (at, _) = places.find(|(_, height)| is_outside(*height))?;
        Some(Cause::OutsideMemory { at })
    }
}

/// Which handler is deepest with `on_top` bytes of others on it, and whether it is interrupted for that.
fn deepest_handler(handlers: &[HandlerNeed], on_top: u32) -> Option<(u32, HandlerNeed, bool)> {
    let mut best: Option<(u32, HandlerNeed, bool)> = None;
    let mut consider = |bytes: u32, handler: &HandlerNeed, interrupted: bool| {
        if best.is_none_or(|(most, ..)| bytes > most) {
            best = Some((bytes, *handler, interrupted));
        }
    };
    for handler in handlers {
        consider(handler.bytes, handler, false);
        if let Some(below) = handler.interrupted.filter(|_| on_top > 0) {
            consider(below + on_top, handler, true);
        }
    }
    best
}

fn can_be_interrupted(activation: &Activation, at: u32, places: Places) -> bool {
    let mut points = activation.points.iter();
    points
        .any(|point| point.at == at && matches!(point.height, Height::Between(..)) && places.has(point.level))
}
