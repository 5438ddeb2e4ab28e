//! The memory of a run: objects with their bytes.
//!
//! Beside each byte stands whether it was ever written, and beside the bytes of an object the
//! pointers that were stored in it, by offset: so a pointer survives a copy of the bytes that
//! hold it, and a partial overwrite destroys it. Every live object also has an address, so that
//! pointers have integer values; accesses never go by address.
//!
//! Entries of dead objects are used again with a new generation. A dead heap object, and one whose block
//! has ended, keeps its entry for a while, so that a use after its end can say what died, and where.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use crate::ids::{GlobalId, Id, ObjectSiteId};
use crate::program::{DataModel, Position};
use crate::scalar::{ObjectRef, Pointer, PointerBase, mask};

/// How many dead objects are remembered.
const REMEMBERED: usize = 1 << 16;

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Global(GlobalId),
    Stack(ObjectSiteId),
    Heap(ObjectSiteId),
}

/// Which bytes were written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// All were; then the words say nothing.
    full: bool,
    words: Vec<u64>,
}

impl Written {
    fn reset(&mut self, size: usize, full: bool) {
        self.full = full || size == 0;
        self.words.clear();
        if !self.full {
            self.words.resize(size.div_ceil(64), 0);
        }
    }

    #[inline]
    fn all(&self, start: usize, count: usize) -> bool {
        if self.full {
            return true;
        }
        let shift = start % 64;
        if shift + count <= 64 {
            let wanted = mask(count as u32) << shift;
            return self.words[start / 64] & wanted == wanted;
        }
        (start..start + count).all(|index| self.get(index))
    }

    fn get(&self, index: usize) -> bool {
        self.full || self.words[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    fn set(&mut self, start: usize, count: usize, size: usize) {
        if self.full || count == 0 {
            return;
        }
        if start == 0 && count == size {
            self.full = true;
            return;
        }
        let shift = start % 64;
        if shift + count <= 64 {
            self.words[start / 64] |= mask(count as u32) << shift;
        } else {
            for index in start..start + count {
                self.words[index / 64] |= 1 << (index % 64);
            }
        }
        if size <= 64 && self.words[0] == mask(size as u32) {
            self.full = true;
        }
    }

    fn clear(&mut self, index: usize, size: usize) {
        if self.full {
            self.full = false;
            self.words.clear();
            self.words.resize(size.div_ceil(64), u64::MAX);
            if !size.is_multiple_of(64) {
                *self.words.last_mut().expect("an object with a byte has a word") = mask((size % 64) as u32);
            }
        }
        self.words[index / 64] &= !(1 << (index % 64));
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Equal to that of the pointers to it while it lives.
    pub generation: u32,
    pub live: bool,
    pub constant: bool,
    /// True for bytes that an unknown initialiser wrote.
    pub external: bool,
    /// True for registers, which hold nothing.
    pub registers: bool,
    pub address: u64,
    /// The inputs wanted the address.
    dictated: bool,
    pub align: u32,
    pub origin: Origin,
    /// In the order of creation, globals first.
    pub number: u64,
    /// Where it was created.
    pub created: Position,
    /// Where it was freed, or its block was left.
    pub freed: Position,
    /// Kept when the object dies.
    pub size: u64,
    bytes: Vec<u8>,
    written: Written,
    /// Unwritten bytes whose value the inputs have chosen.
    chosen: Option<Box<Written>>,
    pointers: BTreeMap<u64, Pointer>,
}

/// Bytes, and the pointers among them.
pub type ObjectContents = (Vec<u8>, Vec<(u64, Pointer)>);

impl Object {
    /// Its bytes, and the pointers among them.
    pub fn contents(&self) -> ObjectContents {
        let pointers = self.pointers.iter().map(|(offset, pointer)| (*offset, *pointer));
        (self.bytes.clone(), pointers.collect())
    }

    /// Forgets the pointers that share a byte with the range.
    #[inline]
    fn forget_pointers(&mut self, offset: u64, count: u64, pointer_bytes: u64) {
        if !self.pointers.is_empty() {
            let low = offset.saturating_sub(pointer_bytes - 1);
            let stale: Vec<u64> = self
                .pointers
                .range(low..offset + count)
                .map(|(&at, _)| at)
                .collect();
            for at in stale {
                self.pointers.remove(&at);
            }
        }
    }
}

/// What an access reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Bytes of a live object.
    Object { slot: u32, offset: u64 },
    /// A memory-mapped register.
    Device(u64),
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    Null {
        offset: u64,
    },
    /// The object is dead; its entry still describes it when `remembered`.
    Dead {
        object: ObjectRef,
        remembered: bool,
    },
    Outside {
        slot: u32,
        offset: u64,
    },
    Misaligned {
        address: u64,
        align: u32,
    },
    Constant {
        slot: u32,
    },
    Function {
        pointer: Pointer,
    },
}

/// The memory could not hold another object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfMemory {
    Bytes,
    Addresses,
}

/// How to make an object.
#[derive(Clone, Copy, Debug)]
pub struct NewObject {
    pub origin: Origin,
    pub size: u64,
    pub align: u32,
    pub zeroed: bool,
    pub constant: bool,
    pub external: bool,
    pub registers: bool,
    pub created: Position,
}

/// All objects.
pub struct Memory {
    objects: Vec<Object>,
    unused: Vec<u32>,
    dead: VecDeque<u32>,
    pub pointer_width: u32,
    pub big_endian: bool,
    /// Where dead objects lay whose addresses the inputs wanted.
    dead_addresses: FxHashMap<ObjectRef, u64>,
    created: u64,
    alive_bytes: u64,
    max_bytes: u64,
    addresses: Addresses,
    /// Live objects by address; built when an integer first becomes a pointer.
    by_address: RefCell<Option<BTreeMap<u64, u32>>>,
}

/// Hands out addresses: globals and heap upwards, the stack downwards.
struct Addresses {
    function_base: u64,
    function_step: u64,
    next: u64,
    limit: u64,
    stack: u64,
    stack_top: u64,
}

impl Addresses {
    /// Away from where chips have their memory-mapped registers.
    fn new(pointer_width: u32) -> Self {
        let (function_base, function_step, next, stack) = match pointer_width {
            ..=16 => (0xf000, 2, 0x200, 0xeff0),
            17..=32 => (0x0800_0000, 16, 0x2000_0000, 0x3fff_ff00),
            _ => (0x5555_0000_0000, 16, 0x1_0000_0000, 0x7fff_ffff_0000),
        };
        let limit = stack;
        Addresses {
            function_base,
            function_step,
            next,
            limit,
            stack,
            stack_top: stack,
        }
    }

    /// A multiple of the alignment, and no more than that: a stricter access than the object allows is
    /// misaligned here whenever it can be.
    fn exactly_aligned(from: u64, align: u64) -> Option<u64> {
        let double = align.checked_mul(2)?;
        from.checked_next_multiple_of(double)?.checked_add(align)
    }

    fn upwards(&mut self, size: u64, align: u64) -> Option<u64> {
        let address = Self::exactly_aligned(self.next, align)?;
        let end = address.checked_add(size)?.checked_add(1)?;
        (end < self.stack).then(|| {
            self.next = end;
            address
        })
    }

    fn downwards(&mut self, size: u64, align: u64) -> Option<u64> {
        let low = self.stack.checked_sub(size)?.checked_sub(1)?;
        let double = align.checked_mul(2)?;
        let multiple = low - low % double;
        let address = if multiple + align <= low {
            multiple + align
        } else {
            multiple.checked_sub(align)?
        };
        (address > self.next).then(|| {
            self.stack = address;
            address
        })
    }
}

impl Memory {
    /// The objects that live, in no order that means anything but always the same.
    pub fn live_objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(|object| object.live)
    }

    pub fn new(data_model: &DataModel, max_bytes: u64) -> Self {
        Memory {
            objects: Vec::new(),
            unused: Vec::new(),
            dead: VecDeque::new(),
            pointer_width: data_model.pointer_width.clamp(8, 64),
            big_endian: data_model.big_endian,
            dead_addresses: FxHashMap::default(),
            created: 0,
            alive_bytes: 0,
            max_bytes,
            addresses: Addresses::new(data_model.pointer_width),
            by_address: RefCell::new(None),
        }
    }

    /// Bytes of a stored pointer.
    pub fn pointer_bytes(&self) -> u64 {
        u64::from(self.pointer_width.div_ceil(8))
    }

    /// How many objects were ever created.
    pub fn created(&self) -> u64 {
        self.created
    }

    pub fn object(&self, slot: u32) -> &Object {
        &self.objects[slot as usize]
    }

    /// Does the object still live?
    pub fn is_live(&self, object: ObjectRef) -> bool {
        let entry = self.objects.get(object.slot as usize);
        entry.is_some_and(|entry| entry.live && entry.generation == object.generation)
    }

    /// The object of a pointer that lives.
    pub fn live(&self, pointer: Pointer) -> Option<&Object> {
        match pointer.base {
            PointerBase::Object(object) => self
                .objects
                .get(object.slot as usize)
                .filter(|entry| entry.generation == object.generation),
            _ => None,
        }
    }

    /// Live heap objects.
    pub fn leaks(&self) -> impl Iterator<Item = &Object> {
        self.objects
            .iter()
            .filter(|object| object.live && matches!(object.origin, Origin::Heap(_)))
    }

    /// Makes an object; `dictated` is the address the inputs want.
    pub fn create(&mut self, new: &NewObject, dictated: Option<u64>) -> Result<ObjectRef, OutOfMemory> {
        let size = usize::try_from(new.size).map_err(|_| OutOfMemory::Bytes)?;
        if new.size > self.max_bytes.saturating_sub(self.alive_bytes) {
            return Err(OutOfMemory::Bytes);
        }
        let align = new.align.max(1);
        let dictated = dictated.filter(|&address| self.is_possible_address(address, new.size, align));
        let address = match dictated {
            Some(address) => address,
            None => self
                .choose_address(new, u64::from(align))
                .ok_or(OutOfMemory::Addresses)?,
        };
        let slot = self.entry_for(new);
        let object = &mut self.objects[slot as usize];
        object.live = true;
        object.constant = new.constant;
        object.external = new.external;
        object.registers = new.registers;
        object.address = address;
        object.dictated = dictated.is_some();
        object.align = align;
        object.origin = new.origin;
        object.number = self.created;
        object.created = new.created;
        object.size = new.size;
        object.bytes.clear();
        if size > 1 << 16 && object.bytes.capacity() < size {
            object.bytes = vec![0; size];
        } else {
            object.bytes.resize(size, 0);
        }
        object.written.reset(size, new.zeroed);
        let generation = object.generation;
        self.created += 1;
        self.alive_bytes += new.size;
        if let Some(index) = self.by_address.get_mut() {
            index.insert(address, slot);
        }
        Ok(ObjectRef { slot, generation })
    }

    fn entry_for(&mut self, new: &NewObject) -> u32 {
        let reused = match self.unused.pop() {
            None if self.dead.len() > REMEMBERED => self.dead.pop_front(),
            unused => unused,
        };
        reused.unwrap_or_else(|| {
            self.objects.push(Object {
                generation: 0,
                live: false,
                constant: false,
                external: false,
                registers: false,
                address: 0,
                dictated: false,
                align: 1,
                origin: new.origin,
                number: 0,
                created: new.created,
                freed: Position::default(),
                size: 0,
                bytes: Vec::new(),
                written: Written::default(),
                chosen: None,
                pointers: BTreeMap::new(),
            });
            (self.objects.len() - 1) as u32
        })
    }

    fn is_possible_address(&self, address: u64, size: u64, align: u32) -> bool {
        address != 0
            && address.is_multiple_of(u64::from(align))
            && address
                .checked_add(size)
                .is_some_and(|end| end <= mask(self.pointer_width))
    }

    fn choose_address(&mut self, new: &NewObject, align: u64) -> Option<u64> {
        match new.origin {
            Origin::Stack(_) => self.addresses.downwards(new.size, align),
            _ => self
                .addresses
                .upwards(new.size, align)
                .or_else(|| self.find_gap(new.size, align)),
        }
    }

    /// The first gap between live objects below the stack: for address spaces that are used up.
    fn find_gap(&self, size: u64, align: u64) -> Option<u64> {
        let mut taken: Vec<(u64, u64)> = self
            .objects
            .iter()
            .filter(|object| object.live)
            .map(|object| (object.address, object.size))
            .collect();
        taken.sort_unstable();
        let mut from = Addresses::new(self.pointer_width).next;
        for (address, length) in taken {
            if address >= self.addresses.stack {
                break;
            }
            let candidate = Addresses::exactly_aligned(from, align)?;
            if candidate.checked_add(size)? < address {
                return Some(candidate);
            }
            from = from.max(address + length + 1);
        }
        let candidate = Addresses::exactly_aligned(from, align)?;
        (candidate.checked_add(size)? < self.addresses.stack).then_some(candidate)
    }

    /// Where the stack's addresses are now; give it to [`Memory::restore_stack`].
    pub fn stack_mark(&self) -> u64 {
        self.addresses.stack
    }

    pub fn restore_stack(&mut self, mark: u64) {
        self.addresses.stack = mark.min(self.addresses.limit).min(self.addresses.stack_top);
    }

    /// Gives back the stack address of an object that died, where it was the last.
    pub fn pop_stack(&mut self, slot: u32) {
        let Object { address, size, .. } = self.objects[slot as usize];
        if address == self.addresses.stack {
            self.restore_stack(address.saturating_add(size).saturating_add(1));
        }
    }

    /// Ends an object's life.
    pub fn kill(&mut self, slot: u32, position: Position) {
        let object = &mut self.objects[slot as usize];
        if !object.live {
            return;
        }
        object.live = false;
        if object.dictated {
            let dead = ObjectRef {
                slot,
                generation: object.generation,
            };
            self.dead_addresses.insert(dead, object.address);
        }
        // The top generation marks functions in packed pointers.
        object.generation = if object.generation >= u32::MAX - 1 {
            1
        } else {
            object.generation + 1
        };
        object.freed = position;
        object.pointers.clear();
        object.chosen = None;
        self.alive_bytes -= object.size;
        if let Some(index) = self.by_address.get_mut()
            && index.get(&object.address) == Some(&slot)
        {
            index.remove(&object.address);
        }
        // What dies while its function runs is spoken of by name: it keeps its entry for a while.
        let is_block_ended = position.line != 0;
        match object.origin {
            Origin::Global(_) | Origin::Stack(_) if !is_block_ended => self.unused.push(slot),
            _ => {
                object.bytes = Vec::new();
                self.dead.push_back(slot);
            }
        }
    }

    /// The address of what the pointer points to.
    pub fn address(&self, pointer: Pointer) -> u64 {
        let base = match pointer.base {
            PointerBase::Null | PointerBase::Raw => 0,
            PointerBase::Function(function) => {
                self.addresses.function_base + self.addresses.function_step * function.index() as u64
            }
            PointerBase::Object(object) => self.base_address(object),
        };
        base.wrapping_add(pointer.offset) & mask(self.pointer_width)
    }

    /// Are the addresses of two packed pointers to different objects equal? Nothing lies at null.
    pub fn same_address(&self, left: [u64; 2], right: [u64; 2]) -> bool {
        let null = left == [0; 2] || right == [0; 2];
        let starts = left[1] == 0 && right[1] == 0;
        !(null && starts) && self.address(Pointer::unpack(left)) == self.address(Pointer::unpack(right))
    }

    /// Where an object lies, or lay. The address of a dead one stands in its entry until that is used again;
    /// one that the inputs wanted is remembered.
    fn base_address(&self, object: ObjectRef) -> u64 {
        match self.objects.get(object.slot as usize) {
            Some(entry) if entry.generation == object.generation => entry.address,
            Some(entry) => *self.dead_addresses.get(&object).unwrap_or(&entry.address),
            None => 0,
        }
    }

    /// The live object whose range holds the address, one past the end included.
    pub fn find(&self, address: u64) -> Option<Pointer> {
        let mut by_address = self.by_address.borrow_mut();
        let index = by_address.get_or_insert_with(|| {
            let live = self.objects.iter().enumerate().filter(|(_, object)| object.live);
            live.map(|(slot, object)| (object.address, slot as u32)).collect()
        });
        // The nearest object below may be empty; then the one before it may hold the address.
        let mut below = index.range(..=address).rev().take(2).map(|(_, &slot)| slot);
        let slot = below.find(|&slot| address - self.object(slot).address <= self.object(slot).size)?;
        let object = self.object(slot);
        let base = PointerBase::Object(ObjectRef {
            slot,
            generation: object.generation,
        });
        Some(Pointer {
            base,
            offset: address - object.address,
        })
    }

    /// The pointer to an address: to a byte of a live object, to a function, or raw. At the end of an object
    /// another may begin, which shows when the pointer is used.
    pub fn pointer_at(&self, address: u64, functions: usize) -> Pointer {
        if address == 0 {
            return Pointer::NULL;
        }
        if let Some(pointer) = self.find(address)
            && self
                .live(pointer)
                .is_some_and(|object| pointer.offset < object.size)
        {
            return pointer;
        }
        let Addresses {
            function_base,
            function_step,
            ..
        } = self.addresses;
        match address.checked_sub(function_base) {
            Some(distance)
                if distance / function_step < functions as u64 && distance.is_multiple_of(function_step) =>
            {
                Pointer::function(Id::new((distance / function_step) as usize))
            }
            _ => Pointer::raw(address),
        }
    }

    /// The pointer into the live object at a raw address; other pointers as they are.
    pub fn locate(&self, pointer: Pointer) -> Pointer {
        match pointer.base {
            PointerBase::Raw => self.find(pointer.offset).unwrap_or(pointer),
            _ => pointer,
        }
    }

    /// Judges an access.
    pub fn reach(&self, pointer: Pointer, size: u64, align: u32, write: bool) -> Result<Reached, Misuse> {
        let pointer = self.locate(pointer);
        let object = match pointer.base {
            PointerBase::Null => {
                return Err(Misuse::Null {
                    offset: pointer.offset,
                });
            }
            PointerBase::Function(_) => return Err(Misuse::Function { pointer }),
            PointerBase::Raw => {
                return match pointer.offset.is_multiple_of(u64::from(align.max(1))) {
                    true => Ok(Reached::Device(pointer.offset)),
                    false => Err(Misuse::Misaligned {
                        address: pointer.offset,
                        align,
                    }),
                };
            }
            PointerBase::Object(object) => object,
        };
        let slot = object.slot;
        let entry = match self.objects.get(slot as usize) {
            Some(entry) if entry.generation == object.generation => entry,
            entry => {
                let remembered = entry.is_some_and(|entry| {
                    !entry.live && entry.generation == object.generation.wrapping_add(1)
                });
                return Err(Misuse::Dead { object, remembered });
            }
        };
        if pointer.offset > entry.size || size > entry.size - pointer.offset {
            return Err(Misuse::Outside {
                slot,
                offset: pointer.offset,
            });
        }
        let address = entry.address.wrapping_add(pointer.offset);
        if !address.is_multiple_of(u64::from(align.max(1))) {
            return Err(Misuse::Misaligned { address, align });
        }
        if write && entry.constant {
            return Err(Misuse::Constant { slot });
        }
        if entry.registers {
            return Ok(Reached::Device(address & mask(self.pointer_width)));
        }
        Ok(Reached::Object {
            slot,
            offset: pointer.offset,
        })
    }

    /// The offset of the first byte of the range that was never written; bytes that an unknown initialiser
    /// wrote count as written.
    pub fn first_unwritten(&self, slot: u32, offset: u64, size: u64) -> Option<u64> {
        let object = &self.objects[slot as usize];
        if object.external || object.written.all(offset as usize, size as usize) {
            return None;
        }
        (offset..offset + size).find(|&index| !object.written.get(index as usize))
    }

    /// Fixes the values of unwritten bytes of the range by asking for each once. True if any was asked for.
    pub fn choose_unwritten(
        &mut self,
        slot: u32,
        offset: u64,
        size: u64,
        mut ask: impl FnMut(u64, u64) -> u8,
    ) -> bool {
        let object = &mut self.objects[slot as usize];
        if object.written.all(offset as usize, size as usize) {
            return false;
        }
        let total = object.bytes.len();
        let chosen = object.chosen.get_or_insert_with(|| {
            let mut chosen = Written::default();
            chosen.reset(total, false);
            Box::new(chosen)
        });
        let mut asked = false;
        for index in offset as usize..(offset + size) as usize {
            if !object.written.get(index) && !chosen.get(index) {
                object.bytes[index] = ask(object.number, index as u64);
                chosen.set(index, 1, total);
                asked = true;
            }
        }
        asked
    }

    /// The bytes of a range that was judged.
    pub fn bytes(&self, slot: u32, offset: u64, size: u64) -> &[u8] {
        &self.objects[slot as usize].bytes[offset as usize..(offset + size) as usize]
    }

    /// The pointer that was stored at exactly this offset.
    pub fn stored_pointer(&self, slot: u32, offset: u64) -> Option<Pointer> {
        self.objects[slot as usize].pointers.get(&offset).copied()
    }

    /// Writes bytes to a range that was judged.
    pub fn write(&mut self, slot: u32, offset: u64, bytes: &[u8]) {
        let pointer_bytes = self.pointer_bytes();
        let object = &mut self.objects[slot as usize];
        object.forget_pointers(offset, bytes.len() as u64, pointer_bytes);
        let start = offset as usize;
        object.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        object.written.set(start, bytes.len(), object.bytes.len());
    }

    /// Fills a range that was judged.
    pub fn fill(&mut self, slot: u32, offset: u64, size: u64, value: u8) {
        let pointer_bytes = self.pointer_bytes();
        let object = &mut self.objects[slot as usize];
        object.forget_pointers(offset, size, pointer_bytes);
        let start = offset as usize;
        object.bytes[start..start + size as usize].fill(value);
        object.written.set(start, size as usize, object.bytes.len());
    }

    /// Stores a pointer in a range that was judged.
    pub fn write_pointer(&mut self, slot: u32, offset: u64, pointer: Pointer) {
        let bytes = self.pointer_bytes();
        let address = self.address(pointer);
        let little = address.to_le_bytes();
        let mut buffer = [0; 8];
        let used = &mut buffer[..bytes as usize];
        used.copy_from_slice(&little[..bytes as usize]);
        if self.big_endian {
            used.reverse();
        }
        let stored = buffer;
        self.write(slot, offset, &stored[..bytes as usize]);
        // Null and raw addresses are read back from their bytes.
        if !matches!(pointer.base, PointerBase::Null | PointerBase::Raw)
            || pointer.base == PointerBase::Null && pointer.offset != 0
        {
            self.objects[slot as usize].pointers.insert(offset, pointer);
        }
    }

    /// Copies a judged range to another, with what is known of its bytes.
    pub fn copy(&mut self, from: (u32, u64), to: (u32, u64), size: u64) {
        let (from_slot, from_offset) = from;
        let (to_slot, to_offset) = to;
        let pointer_bytes = self.pointer_bytes();
        let source = &self.objects[from_slot as usize];
        let bytes = self.bytes(from_slot, from_offset, size).to_vec();
        let unwritten: Vec<u64> = match source.written.all(from_offset as usize, size as usize) {
            true => Vec::new(),
            false => (0..size)
                .filter(|&index| !source.written.get((from_offset + index) as usize))
                .collect(),
        };
        let external = source.external;
        let last = (from_offset + size).saturating_sub(pointer_bytes - 1);
        let pointers: Vec<(u64, Pointer)> = match from_offset < last {
            true => source
                .pointers
                .range(from_offset..last)
                .map(|(&at, &pointer)| (at, pointer))
                .collect(),
            false => Vec::new(),
        };
        self.write(to_slot, to_offset, &bytes);
        let target = &mut self.objects[to_slot as usize];
        let total = target.bytes.len();
        if !external && !unwritten.is_empty() {
            // The copied value is fixed: it equals the source's, which was chosen before.
            let chosen = target.chosen.get_or_insert_with(|| {
                let mut chosen = Written::default();
                chosen.reset(total, false);
                Box::new(chosen)
            });
            for index in unwritten {
                target.written.clear((to_offset + index) as usize, total);
                chosen.set((to_offset + index) as usize, 1, total);
            }
        }
        for (at, pointer) in pointers {
            target.pointers.insert(to_offset + (at - from_offset), pointer);
        }
    }

    /// The fast path of loads of at most eight bytes; `None` where anything is unusual.
    #[inline(always)]
    pub fn load_word(&self, base: u64, offset: u64, size: u32, align: u32) -> Option<u64> {
        let object = self.fast_object(base, offset, size, align)?;
        let start = offset as usize;
        if !object.written.all(start, size as usize) || self.big_endian {
            return None;
        }
        let bytes = &object.bytes[start..];
        Some(match size {
            1 => u64::from(bytes[0]),
            2 => u64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            4 => u64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            8 => u64::from_le_bytes(*bytes.first_chunk()?),
            _ => return None,
        })
    }

    /// The fast path of stores of at most eight bytes; false where anything is unusual.
    #[inline(always)]
    pub fn store_word(&mut self, base: u64, offset: u64, size: u32, align: u32, value: u64) -> bool {
        if self.fast_object(base, offset, size, align).is_none() || self.big_endian {
            return false;
        }
        let pointer_bytes = self.pointer_bytes();
        let object = &mut self.objects[(base as u32).wrapping_sub(2) as usize];
        if object.constant || object.registers {
            return false;
        }
        object.forget_pointers(offset, u64::from(size), pointer_bytes);
        let start = offset as usize;
        let bytes = &mut object.bytes[start..start + size as usize];
        match size {
            1 => bytes[0] = value as u8,
            2 => bytes.copy_from_slice(&(value as u16).to_le_bytes()),
            4 => bytes.copy_from_slice(&(value as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&value.to_le_bytes()),
            _ => return false,
        }
        if !object.written.full {
            object.written.set(start, size as usize, object.bytes.len());
        }
        true
    }

    /// The live object of a packed pointer, if the access is inside it and aligned.
    #[inline(always)]
    fn fast_object(&self, base: u64, offset: u64, size: u32, align: u32) -> Option<&Object> {
        // Null and raw addresses wrap to entries that cannot exist; functions have a generation that no
        // object has.
        let object = self.objects.get((base as u32).wrapping_sub(2) as usize)?;
        let inside = offset.checked_add(u64::from(size))? <= object.bytes.len() as u64;
        let aligned = object.address.wrapping_add(offset) & u64::from(align).wrapping_sub(1) == 0;
        (object.generation == (base >> 32) as u32 && inside && aligned).then_some(object)
    }

    /// The fast path of loads of pointers.
    #[inline(always)]
    pub fn load_stored_pointer(&self, base: u64, offset: u64, align: u32) -> Option<[u64; 2]> {
        let object = self.fast_object(base, offset, self.pointer_bytes() as u32, align)?;
        object.pointers.get(&offset).map(|pointer| pointer.pack())
    }
}
