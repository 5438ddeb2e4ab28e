//! From the accesses that were noted to what the monitor has to look for.
//!
//! Idea: what handlers can do to an object is the union of the accesses of all instructions that a handler
//! can reach. A pair of accesses of one line that even this does not tear is not looked at.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use kripke_model::Labels;

use super::dependence::Dependence;
use super::discarded::is_discarded;
use super::{Access, Accesses, Manner, Sharing, Touched, agreement};
use crate::instruction::{Instruction, Operation as Op};
use crate::micro::{MOST_ATOMS, Micro};

/// What a monitor looks for.
#[derive(Debug)]
pub struct Watch {
    pub(crate) sharing: Arc<Sharing>,
    /// First accesses: instruction, byte, whether it writes.
    firsts: HashSet<(u32, u16, bool)>,
    /// The instructions among them.
    begins: Vec<bool>,
    /// Their lines, in ascending order.
    lines: Vec<u32>,
    /// Pairs of instructions that tear nothing, whatever a handler does in between.
    harmless: Arc<HashSet<(u32, u32)>>,
}

impl Watch {
    /// Whether an access may be the first of a torn one.
    #[inline]
    pub(crate) fn begins(&self, at: u32, address: u16, writes: bool) -> bool {
        self.begins.get(at as usize) == Some(&true) && self.firsts.contains(&(at, address, writes))
    }

    /// Whether what handlers do between two instructions can tear their accesses.
    pub(crate) fn may_tear(&self, first: u32, second: u32) -> bool {
        !self.harmless.contains(&(first, second))
    }

    /// Source lines that may be torn, told apart by the states' labels.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines.len().min(MOST_ATOMS)
    }

    /// The same for one of the lines alone (for all that share its label, if there are more than there are
    /// labels).
    #[must_use]
    pub fn of_line(&self, number: usize) -> Self {
        let of_line = |(at, _, _): &&(u32, u16, bool)| self.number(*at) == number;
        Self::new(
            Arc::clone(&self.sharing),
            self.firsts.iter().filter(of_line).copied().collect(),
            Arc::clone(&self.harmless),
        )
    }

    /// The number of an instruction's line among those that may be torn.
    fn number(&self, at: u32) -> usize {
        let number = self.lines.binary_search(&self.sharing.lines.of(at));
        number.unwrap_or_else(|next| next).min(MOST_ATOMS - 1)
    }

    /// The label of a torn access by its first instruction.
    pub(crate) fn label(&self, first: u32) -> Labels {
        1 << self.number(first)
    }

    fn new(
        sharing: Arc<Sharing>,
        firsts: HashSet<(u32, u16, bool)>,
        harmless: Arc<HashSet<(u32, u32)>>,
    ) -> Self {
        let instructions = firsts.iter().map(|(at, _, _)| *at);
        let mut begins = vec![false; instructions.clone().max().map_or(0, |last| last as usize + 1)];
        for at in instructions.clone() {
            begins[at as usize] = true;
        }
        let lines: BTreeSet<u32> = instructions.map(|at| sharing.lines.of(at)).collect();
        Self {
            sharing,
            firsts,
            begins,
            lines: lines.into_iter().collect(),
            harmless,
        }
    }
}

/// The accesses of each line to each object.
type Groups<'a> = BTreeMap<(u32, u16), Vec<&'a Access>>;

impl Micro {
    /// The accesses that were noted, if the options ask for that.
    #[must_use]
    pub fn accesses(&self) -> Option<&Accesses> {
        self.tearing.accesses.as_ref()
    }

    /// What may be torn by what was seen; none if nothing.
    #[must_use]
    pub fn watch(&self) -> Option<Watch> {
        let accesses = self.tearing.accesses.as_ref()?;
        let sharing = accesses.sharing();
        let (objects, lines) = (&sharing.objects, &sharing.lines);
        let by_handlers = self.touched_by_handlers(accesses);
        let mut groups: Groups<'_> = BTreeMap::new();
        for access in accesses.iter().filter(|access| access.manner != Manner::Both) {
            let line = lines.of(access.at);
            if let Some(object) = objects.at(access.address).filter(|_| line != 0) {
                groups.entry((line, object.start)).or_default().push(access);
            }
        }
        let mut firsts = HashSet::new();
        let harmless = self.harmless_pairs(accesses, &groups);
        for ((line, start), group) in &groups {
            let Some(touched) = by_handlers.get(start) else {
                continue;
            };
            if !lines.may_enable(*line) && !group.iter().any(|access| access.interruptible) {
                continue;
            }
            let part = |access: &Access| ((access.address - start) as u8, access.manner.writes());
            for first in group {
                let torn = |second: &&Access| {
                    second.at > first.at
                        && touched.tears(part(first), part(second))
                        && !harmless.contains(&(first.at, second.at))
                };
                if group.iter().any(torn) {
                    firsts.insert((first.at, first.address, first.manner.writes()));
                }
            }
        }
        (!firsts.is_empty()).then(|| Watch::new(Arc::clone(sharing), firsts, Arc::new(harmless)))
    }

    /// Pairs of accesses by one line that are torn by nothing, for what becomes of the values.
    fn harmless_pairs(&self, accesses: &Accesses, groups: &Groups<'_>) -> HashSet<(u32, u32)> {
        let mut harmless = HashSet::new();
        // Of a program that has changed itself, nothing is known.
        let [flash] = &self.flash[..] else {
            return harmless;
        };
        let (program, lines) = (&flash.program, &accesses.sharing().lines);
        let agreeing = agreeing_reads(program, accesses);
        for ((_, start), group) in groups {
            let unused = |access: &Access| is_discarded(program, access.at);
            for first in group {
                let followed = Dependence::of_read(program, lines, first.at);
                for second in group.iter().filter(|second| second.at > first.at) {
                    let same_byte: Vec<&Access> = group
                        .iter()
                        .copied()
                        .filter(|access| access.manner.writes() && access.address == second.address)
                        .collect();
                    let tears = match (first.manner, second.manner) {
                        (Manner::Read, Manner::Read) => {
                            let agree = |reads: &(u16, BTreeSet<u32>)| {
                                let (object, reads) = reads;
                                object == start && reads.contains(&first.at) && reads.contains(&second.at)
                            };
                            !unused(first) && !unused(second) && !agreeing.iter().any(agree)
                        }
                        (Manner::Read, _) => followed.reaches(second, &same_byte),
                        (_, Manner::Read) => !unused(second),
                        _ => true,
                    };
                    if !tears {
                        harmless.insert((first.at, second.at));
                    }
                }
            }
        }
        harmless
    }

    /// Instructions that belong to no line and access, with interrupts enabled, an object that handlers
    /// access too.
    #[must_use]
    pub fn unplaced_accesses(&self) -> BTreeSet<u32> {
        let Some(accesses) = &self.tearing.accesses else {
            return BTreeSet::new();
        };
        let sharing = accesses.sharing();
        let by_handlers = self.touched_by_handlers(accesses);
        let is_shared = |access: &&Access| {
            let object = sharing.objects.at(access.address);
            let touched = object.and_then(|object| by_handlers.get(&object.start));
            let writes = access.manner.writes();
            touched.is_some_and(|touched| touched.written != 0 || (writes && touched.read != 0))
        };
        accesses
            .iter()
            .filter(|access| access.interruptible && sharing.lines.of(access.at) == 0)
            .filter(is_shared)
            .map(|access| access.at)
            .collect()
    }

    /// For each object, by its address, what instructions do with it that a handler can reach.
    fn touched_by_handlers(&self, accesses: &Accesses) -> BTreeMap<u16, Touched> {
        let reachable = match &self.flash[..] {
            [flash] => {
                let vectors = self
                    .chip
                    .rules
                    .interrupts
                    .iter()
                    .map(|interrupt| interrupt.vector);
                reachable(&flash.program, vectors)
            }
            // The program has changed itself.
            _ => None,
        };
        let by_handler = |access: &&Access| {
            let reachable = reachable
                .as_ref()
                .map(|reachable| reachable.get(access.at as usize));
            reachable.is_none_or(|reachable| reachable == Some(&true))
        };
        let mut touched: BTreeMap<u16, Touched> = BTreeMap::new();
        for access in accesses.iter().filter(by_handler) {
            let Some(object) = accesses.sharing().objects.at(access.address) else {
                continue;
            };
            let (known, byte) = (
                touched.entry(object.start).or_default(),
                1 << (access.address - object.start),
            );
            known.read |= if access.manner == Manner::Write { 0 } else { byte };
            known.written |= if access.manner.writes() { byte } else { 0 };
        }
        touched
    }
}

/// Reads of objects, by their address, that are repeated until two of them agree.
fn agreeing_reads(program: &[Instruction], accesses: &Accesses) -> Vec<(u16, BTreeSet<u32>)> {
    let objects = &accesses.sharing().objects;
    let mut bytes: BTreeMap<u32, BTreeSet<u16>> = BTreeMap::new();
    let mut writes: BTreeMap<u16, BTreeSet<u32>> = BTreeMap::new();
    for access in accesses.iter() {
        bytes.entry(access.at).or_default().insert(access.address);
        if let Some(object) = objects.at(access.address).filter(|_| access.manner.writes()) {
            writes.entry(object.start).or_default().insert(access.at);
        }
    }
    // An instruction that accesses several bytes in turn says nothing about one of them.
    let mut reads: BTreeMap<(u16, u8), BTreeMap<u32, u8>> = BTreeMap::new();
    for access in accesses.iter().filter(|access| access.manner == Manner::Read) {
        if let Some(object) = objects.at(access.address)
            && bytes[&access.at].len() == 1
        {
            let byte = (access.address - object.start) as u8;
            let of_object = reads.entry((object.start, object.size)).or_default();
            of_object.insert(access.at, byte);
        }
    }
    let none = BTreeSet::new();
    let mut found = Vec::new();
    for ((start, size), reads) in &reads {
        let writes = writes.get(start).unwrap_or(&none);
        let firsts = reads.keys().filter(|_| *size > 1);
        found.extend(firsts.filter_map(|first| {
            let agreed = agreement::agreeing(program, *first, *size, reads, writes)?;
            Some((*start, agreed))
        }));
    }
    found
}

/// The instructions that can be executed from these on, calls and what follows them included; none if that
/// cannot be told, because control goes where a register or a pushed number says.
fn reachable(program: &[Instruction], starts: impl Iterator<Item = u32>) -> Option<Vec<bool>> {
    let words = program.len() as u32;
    let mut seen = vec![false; program.len()];
    let mut open: Vec<u32> = starts.collect();
    while let Some(at) = open.pop() {
        // What jumps to the beginning, as interrupts without a handler do, leaves all handlers behind.
        let Some(known) = seen.get_mut(at as usize).filter(|_| at != 0) else {
            continue;
        };
        if std::mem::replace(known, true) {
            continue;
        }
        let instruction = &program[at as usize];
        let next = (at + u32::from(instruction.words)) % words;
        match instruction.operation {
            Op::Ijmp | Op::Icall => return None,
            Op::Ret | Op::Reti => {
                let is_push = |before: &Instruction| before.operation == Op::Push;
                if at > 0 && is_push(&program[at as usize - 1]) {
                    return None;
                }
            }
            Op::Undefined => {}
            Op::Jmp => open.push(instruction.k as u32 % words),
            Op::Rjmp => open.push(instruction.target(at, words)),
            Op::Call => open.extend([instruction.k as u32 % words, next]),
            Op::Rcall | Op::Brbs | Op::Brbc => open.extend([instruction.target(at, words), next]),
            Op::Cpse | Op::Sbic | Op::Sbis | Op::Sbrc | Op::Sbrs => {
                let skipped = program.get(next as usize).map_or(1, |skipped| skipped.words);
                open.extend([next, (next + u32::from(skipped)) % words]);
            }
            _ => open.push(next),
        }
    }
    Some(seen)
}
