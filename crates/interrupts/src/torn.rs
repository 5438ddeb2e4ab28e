//! The kind `torn-access`: accesses that the machine makes in several pieces, and others between these.
//!
//! Idea: while the pieces of an access are made, memory of our own says which access it is; for each priority
//! one, as what runs at a priority makes one access at a time. A handler that accesses bytes of the same
//! object, where one of the two writes, asserts that it does not come in between. Which pairs may meet is
//! known before, so that nothing is added where none do. Of a copy it says up to where it is done.
//!
//! Invariant: that an access is noted is an arbitrary choice, so every run goes on as if nobody had asked.

use std::collections::BTreeMap;

use kripke_elts::interrupts::FLAGS;
use kripke_elts::{
    BinaryOp, Expr, FunctionId, Global, GlobalId, InitialRest, Position, Program, PropertyId, PropertySite,
    Statement, StatementKind, Type, VariableId,
};
use kripke_model::PropertyKind;

use crate::effects::{Access, constant};
use crate::pieces::{self, Part, Pieces};
use crate::rewrite::Rewriter;
use crate::sites::{self, Key, Place, Site};
use crate::terms::{and, assign, binary, choose, int, load, not, or, select, store, truth};
use crate::writer::Writer;

/// The type of the numbers of accesses.
pub const NUMBER: Type = Type::Int(32);

/// How an access comes to be several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Read(usize),
    Write(usize),
    /// The side of a copy that is read, or written.
    CopyRead(usize),
    CopyWrite(usize),
    /// The unit in which a bit-field is is read and written back, up to the store.
    BitField(Place),
}

/// An access in several pieces.
struct Span {
    key: Key,
    how: How,
    access: Access,
    /// The bytes of the object.
    length: u64,
    position: Position,
}

impl Span {
    /// Reading a neighbour of a bit-field that is written back as it was is harmless.
    fn conflicts(&self, other: &Access) -> bool {
        (self.is_write() || other.writes()) && self.access.overlaps(other)
    }

    fn is_write(&self) -> bool {
        matches!(self.how, How::Write(_) | How::CopyWrite(_))
    }

    fn is_copy(&self) -> bool {
        matches!(self.how, How::CopyRead(_) | How::CopyWrite(_))
    }

    fn description(&self) -> String {
        match self.how {
            How::Read(count) => format!("between the {count} pieces of this read"),
            How::Write(count) => format!("between the {count} pieces of this write"),
            How::CopyRead(count) | How::CopyWrite(count) => {
                format!("between the {count} pieces of this copy, to an object of which one part is copied")
            }
            How::BitField(_) => "before what this write to a bit-field has read is written".to_owned(),
        }
    }
}

/// What is asked of a handler's access: of which span, and the property.
struct Question {
    span: usize,
    property: PropertyId,
}

/// All that is asked.
pub struct Torn {
    spans: Vec<Span>,
    begins: BTreeMap<Key, Vec<usize>>,
    /// The stores that end writes of bit-fields.
    ends: BTreeMap<Key, usize>,
    questions: BTreeMap<Key, Vec<Question>>,
    /// For each priority which access is being made, by its number from 1, and where.
    notes: Vec<(GlobalId, GlobalId)>,
}

impl Torn {
    /// Finds what is to be asked, and adds the properties and the memory for it.
    pub fn new(all: &[Site<'_>], original: &Program, program: &mut Program, position: Position) -> Torn {
        let mut torn = Torn {
            spans: Vec::new(),
            begins: BTreeMap::new(),
            ends: BTreeMap::new(),
            questions: BTreeMap::new(),
            notes: Vec::new(),
        };
        let mut pairs: Vec<(usize, &Site<'_>)> = Vec::new();
        for span in all.iter().flat_map(|site| spans_of(original, site)) {
            let above = all.iter().filter(|site| site.level > span.key.0);
            let meeting: Vec<&Site<'_>> = above
                .filter(|site| site.accesses.iter().any(|access| span.conflicts(access)))
                .collect();
            if !meeting.is_empty() {
                pairs.extend(meeting.into_iter().map(|site| (torn.spans.len(), site)));
                torn.add(span);
            }
        }
        torn.add_questions(pairs, program);
        let levels = torn.spans.iter().map(|span| span.key.0 + 1).max().unwrap_or(0);
        for level in 0..levels {
            let note = |name: &str, size: u64| note(&format!("{FLAGS}.{name}.{level}"), size, position);
            let pointer = u64::from(original.data_model.pointer_width / 8);
            let number = program.globals.push(note("torn", 4));
            let address = program.globals.push(note("torn.address", pointer));
            torn.notes.push((number, address));
        }
        if torn.spans.is_empty() {
            add_empty_property(program, PropertyKind::TornAccess, "torn access of any object");
        }
        torn
    }

    fn add(&mut self, span: Span) {
        let number = self.spans.len();
        let (level, function, _) = span.key;
        self.begins.entry(span.key).or_default().push(number);
        if let How::BitField(store) = span.how {
            self.ends.insert((level, function, store), number);
        }
        self.spans.push(span);
    }

    /// One property for each two places, in the order of the first.
    fn add_questions(&mut self, mut pairs: Vec<(usize, &Site<'_>)>, program: &mut Program) {
        pairs.sort_by_key(|(span, site)| (self.spans[*span].position, site.position(), *span));
        let mut known: BTreeMap<(String, Position), PropertyId> = BTreeMap::new();
        for (number, site) in pairs {
            let span = &self.spans[number];
            let place = program.place(site.position(), "");
            let verb = match site.accesses.iter().any(Access::writes) {
                true => "writes",
                false => "reads",
            };
            let of = &program.functions[site.function].name;
            let description = format!(
                "torn access: `{of}` {verb} at {}:{} {}",
                place.file,
                place.line,
                span.description()
            );
            let key = (description.clone(), span.position);
            let property = *known.entry(key).or_insert_with(|| {
                program.properties.push(PropertySite {
                    kind: PropertyKind::TornAccess,
                    description,
                    position: span.position,
                    function: span.key.1,
                })
            });
            let question = Question {
                span: number,
                property,
            };
            self.questions.entry(site.key()).or_default().push(question);
        }
    }
}

/// The spans that begin with a site.
fn spans_of(original: &Program, site: &Site<'_>) -> Vec<Span> {
    let function = &original.functions[site.function];
    let span = |how: How, access: &Access, length: u64| Span {
        key: site.key(),
        how,
        access: access.clone(),
        length,
        position: site.position(),
    };
    let (ty, align, is_read) = match &site.statement.kind {
        StatementKind::Load { target, align, .. } => (function.variables[*target].ty, *align, true),
        StatementKind::Store { ty, align, .. } => (*ty, *align, false),
        kind => {
            let count = pieces_of_copy(original, site.function, kind);
            let sides = site.accesses.iter().filter(|_| count > 1);
            let sides = sides.map(|access| match access.writes() {
                true => span(How::CopyWrite(count), access, 0),
                false => span(How::CopyRead(count), access, 0),
            });
            return sides.collect();
        }
    };
    let in_pieces = Pieces::of(original, ty, align).map(|pieces| match is_read {
        true => How::Read(pieces.count() as usize),
        false => How::Write(pieces.count() as usize),
    });
    let bit_field = sites::store_of_bit_field(original, site).map(How::BitField);
    let all = in_pieces.into_iter().chain(bit_field);
    let length = ty.bytes(&original.data_model);
    all.map(|how| span(how, &site.accesses[0], length)).collect()
}

/// In how many pieces a machine makes a copy, if in several.
fn pieces_of_copy(original: &Program, function: FunctionId, kind: &StatementKind) -> usize {
    let (steps, length) = match kind {
        StatementKind::CopyMemory {
            target,
            source,
            length,
            ..
        } => (pieces::steps(original, &[target, source], length), length),
        StatementKind::SetMemory { target, length, .. } => {
            (pieces::steps(original, &[target], length), length)
        }
        _ => return 0,
    };
    let whole = whole_step(original, function, kind);
    let length = constant(length).filter(|_| steps.is_some()).unwrap_or(0);
    usize::try_from(length.div_ceil(whole)).unwrap_or(0)
}

/// How many bytes of a copy are copied at once.
pub fn whole_step(original: &Program, function: FunctionId, kind: &StatementKind) -> u64 {
    match kind {
        StatementKind::CopyMemory { target, source, .. } => {
            pieces::whole_step(original, function, &[target, source])
        }
        StatementKind::SetMemory { target, .. } => pieces::whole_step(original, function, &[target]),
        _ => 1,
    }
}

/// Memory of our own, zero at first.
pub fn note(name: &str, size: u64, position: Position) -> Global {
    Global {
        name: name.to_owned(),
        c_name: None,
        size,
        align: 1,
        cells: Vec::new(),
        rest: InitialRest::Zero,
        constant: false,
        thread_local: false,
        c_type: None,
        position,
    }
}

/// Where no two accesses can meet, there is still an answer.
pub fn add_empty_property(program: &mut Program, kind: PropertyKind, description: &str) {
    let function = program.entry;
    program.properties.push(PropertySite {
        kind,
        description: description.to_owned(),
        position: program.functions[function].position,
        function,
    });
}

impl Rewriter<'_> {
    fn torn_spans(&self, key: Key) -> &[usize] {
        let torn = self.torn.as_ref();
        torn.and_then(|torn| torn.begins.get(&key))
            .map_or(&[], Vec::as_slice)
    }
}

impl Writer<'_, '_> {
    /// The accesses of the statement that is written which begin in pieces, for bit-fields or not.
    fn torn_span(&self, of_bit_field: bool) -> Option<usize> {
        let torn = self.rewriter.torn.as_ref()?;
        let spans = self.rewriter.torn_spans(self.key()?);
        let is_it = |span: &&usize| matches!(torn.spans[**span].how, How::BitField(_)) == of_bit_field;
        spans.iter().find(is_it).copied()
    }

    /// The pieces of an access with notes around them.
    pub fn note_pieces(&mut self, parts: &mut Vec<Part>, kind: &StatementKind) {
        let address = match kind {
            StatementKind::Load { address, .. } | StatementKind::Store { address, .. } => address,
            StatementKind::CopyMemory { target, source, .. } => {
                return self.note_progress(parts, kind, (Some(source), target));
            }
            StatementKind::SetMemory { target, .. } => {
                return self.note_progress(parts, kind, (None, target));
            }
            _ => return,
        };
        let Some(span) = self.torn_span(false) else { return };
        let chosen = self.variable(Type::BOOL);
        let begin = self.begin_span(span, address, chosen);
        parts.splice(0..0, begin.into_iter().map(Part::Do));
        parts.extend(self.end_span().map(Part::Do));
        if let Some(span) = self.torn_span(true) {
            let chosen = self.variable(Type::BOOL);
            parts.extend(self.begin_span(span, address, chosen).into_iter().map(Part::Do));
        }
    }

    /// Notes how far one of the sides of a copy is done.
    fn note_progress(
        &mut self,
        parts: &mut Vec<Part>,
        kind: &StatementKind,
        (source, target): (Option<&Expr>, &Expr),
    ) {
        let Some((key, torn)) = self.key().zip(self.rewriter.torn.as_ref()) else {
            return;
        };
        let spans = self.rewriter.torn_spans(key).iter();
        let sides: Vec<(usize, bool)> = spans.map(|span| (*span, torn.spans[*span].is_write())).collect();
        let Some((number, place)) = torn.notes.get(key.0).copied().filter(|_| !sides.is_empty()) else {
            return;
        };
        let width = self.rewriter.original.data_model.pointer_width;
        let chosen: Vec<VariableId> = sides.iter().map(|_| self.variable(Type::BOOL)).collect();
        let mut noted: Vec<Part> = chosen.iter().map(|chosen| Part::Do(choose(*chosen))).collect();
        let done = parts.iter().map(|part| match part {
            Part::Progress { written, .. } => *written,
            _ => 0,
        });
        let all = done.max().unwrap_or(0);
        let whole = whole_step(self.rewriter.original, self.id, kind);
        for part in std::mem::take(parts) {
            let Part::Progress { read, written } = part else {
                noted.push(part);
                continue;
            };
            let (mut which, mut address) = (int(32, 0), target.clone());
            for ((span, is_written), chosen) in sides.iter().zip(&chosen) {
                let (side, done) = match (is_written, source) {
                    (false, Some(source)) => (source, read),
                    _ => (target, written),
                };
                // At the beginning and at the end there is no object of which one part is done.
                let is_inside = done > 0 && done < all && done.is_multiple_of(whole);
                let its = if !is_inside {
                    int(32, 0)
                } else {
                    int(32, *span as u128 + 1)
                };
                which = select(Expr::Variable(*chosen), its, which);
                let boundary = pieces::moved(side, done, width);
                address = select(Expr::Variable(*chosen), boundary, address);
            }
            noted.push(Part::Do(store(number, which, NUMBER)));
            noted.push(Part::Do(store(place, address, Type::Pointer)));
        }
        noted.extend(self.end_span().map(Part::Do));
        *parts = noted;
    }

    /// Notes that a bit-field begins to be written, or is now.
    pub fn note_bit_field(&mut self, statement: &Statement) {
        let Some(key) = self.key() else { return };
        let Some(torn) = &self.rewriter.torn else { return };
        if torn.ends.contains_key(&key)
            && let Some(end) = self.end_span()
        {
            self.emit(end, statement.position);
        }
        if let (Some(span), StatementKind::Load { address, .. }) = (self.torn_span(true), &statement.kind) {
            let chosen = self.variable(Type::BOOL);
            for kind in self.begin_span(span, address, chosen) {
                self.emit(kind, statement.position);
            }
        }
    }

    fn begin_span(&self, span: usize, address: &Expr, chosen: VariableId) -> Vec<StatementKind> {
        let (Some(torn), Some(level)) = (&self.rewriter.torn, self.level()) else {
            return Vec::new();
        };
        let (number, place) = torn.notes[level];
        let noted = select(Expr::Variable(chosen), int(32, span as u128 + 1), int(32, 0));
        vec![
            choose(chosen),
            store(number, noted, NUMBER),
            store(place, address.clone(), Type::Pointer),
        ]
    }

    fn end_span(&self) -> Option<StatementKind> {
        let torn = self.rewriter.torn.as_ref()?;
        let (number, _) = torn.notes.get(self.level()?)?;
        Some(store(*number, int(32, 0), NUMBER))
    }

    /// Whether an access that is about to be made comes between the pieces of another: each property, and the
    /// variable that says so.
    pub fn ask_torn(&mut self, statement: &Statement) -> Vec<(PropertyId, VariableId)> {
        let asked = self.questions(statement);
        let told = match asked.is_empty() {
            true => Vec::new(),
            false => self.bytes_of(&statement.kind),
        };
        let asked = asked.into_iter().map(|(property, span, surely)| {
            let tears = self.tears((span, surely), &told, statement.position);
            (property, tears)
        });
        asked.collect()
    }

    /// The properties, their spans, and whether it is known that the accesses meet.
    fn questions(&self, statement: &Statement) -> Vec<(PropertyId, usize, bool)> {
        let torn = self.rewriter.torn.as_ref();
        let Some((key, torn)) = self.key().zip(torn) else {
            return Vec::new();
        };
        let own = self.rewriter.effects.accesses_of(self.id, &statement.kind);
        let questions = torn.questions.get(&key).into_iter().flatten();
        let asked = questions.map(|question| {
            let span = &torn.spans[question.span];
            let surely = |access: &Access| {
                !span.is_copy() && span.conflicts(access) && span.access.is_exact_with(access)
            };
            (question.property, question.span, own.iter().any(surely))
        });
        asked.collect()
    }

    fn tears(&mut self, (span, surely): (usize, bool), told: &[Expr], position: Position) -> VariableId {
        let tears = self.variable(Type::BOOL);
        let Some(torn) = &self.rewriter.torn else {
            return tears;
        };
        let noted = &torn.spans[span];
        let (number, place) = torn.notes[noted.key.0];
        let length = int(
            self.rewriter.original.data_model.pointer_width,
            u128::from(noted.length),
        );
        let (only_writes, is_copy) = (!noted.is_write(), noted.is_copy());
        let seen = self.variable(NUMBER);
        self.emit(load(seen, number), position);
        let mut value = binary(BinaryOp::Eq, Expr::Variable(seen), int(32, span as u128 + 1));
        if !surely {
            let address = self.variable(Type::Pointer);
            self.emit(load(address, place), position);
            let ranges = told
                .chunks_exact(3)
                .filter(|told| !only_writes || told[2] == truth(true));
            let address = Expr::Variable(address);
            let met = ranges.map(|told| match is_copy {
                true => is_within(&address, (&told[0], &told[1])),
                false => meets((&address, &length), (&told[0], &told[1])),
            });
            value = and(value, met.reduce(or).unwrap_or(truth(false)));
        }
        self.emit(assign(tears, value), position);
        tears
    }

    /// Asserts, once an access is made, that it came between no others.
    pub fn assert_not_torn(&mut self, asked: Vec<(PropertyId, VariableId)>, position: Position) {
        for (property, tears) in asked {
            let condition = not(Expr::Variable(tears));
            self.emit(StatementKind::Assert { condition, property }, position);
        }
    }
}

/// When two ranges of bytes have some in common.
pub fn meets((one, length): (&Expr, &Expr), (other, its): (&Expr, &Expr)) -> Expr {
    let offset = |pointer: &Expr| Expr::PointerOffset(Box::new(pointer.clone()));
    let end = |pointer: &Expr, length: &Expr| binary(BinaryOp::Add, offset(pointer), length.clone());
    let same = Expr::SameObject(Box::new(one.clone()), Box::new(other.clone()));
    let begins = binary(BinaryOp::ULt, offset(one), end(other, its));
    and(
        same,
        and(begins, binary(BinaryOp::ULt, offset(other), end(one, length))),
    )
}

/// When an address is in a range of bytes, but not where it begins.
fn is_within(address: &Expr, (range, length): (&Expr, &Expr)) -> Expr {
    let offset = |pointer: &Expr| Expr::PointerOffset(Box::new(pointer.clone()));
    let end = binary(BinaryOp::Add, offset(range), length.clone());
    let same = Expr::SameObject(Box::new(address.clone()), Box::new(range.clone()));
    let begins = binary(BinaryOp::ULt, offset(range), offset(address));
    and(same, and(begins, binary(BinaryOp::ULt, offset(address), end)))
}
