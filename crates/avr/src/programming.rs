//! What SPM does to a page of flash: the part that all machines share.
//!
//! Source: "Boot Loader Support, Read-While-Write Self-Programming" in the datasheets.

/// The bits of the control register that say what SPM and LPM do; hardware clears them.
pub(crate) const CONTROL: u8 = 0x3F;

/// The bit that has to be set for any of them.
pub(crate) const ENABLE: u8 = 0x01;

/// The bits with which LPM reads lock bits and fuses (BLBSET), or the signature row (SIGRD), and not flash.
pub(crate) const READS_ROWS: u8 = 0x28;

/// What SPM does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageOperation {
    /// A word goes from R1:R0 into the page buffer.
    Fill,
    /// The bytes of the page become 0xFF.
    Erase,
    /// The page buffer is written to the page, and erased.
    Write,
    /// The page buffer is erased: RWWSRE, or CTPB on devices without a boot section.
    Clear,
}

impl PageOperation {
    /// What the control register asks for. Lock bits are not modelled.
    pub(crate) fn asked(control: u8) -> Option<Self> {
        match control & CONTROL {
            0x01 => Some(Self::Fill),
            0x03 => Some(Self::Erase),
            0x05 => Some(Self::Write),
            0x11 => Some(Self::Clear),
            _ => None,
        }
    }
}

/// A page, and the place of a word in the page buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PagePlace {
    /// Byte address of the page.
    pub(crate) start: usize,
    /// Byte address behind the page.
    pub(crate) end: usize,
    /// Offset of the word in the page.
    pub(crate) word: usize,
}

impl PagePlace {
    /// The page of an address, for pages of so many bytes.
    pub(crate) fn new(address: u32, page: usize) -> Self {
        let page = page.max(2);
        let (address, start) = (address as usize, address as usize / page * page);
        Self {
            start,
            end: start + page,
            word: (address - start) / 2 * 2,
        }
    }

    /// The contents of a page after an erasure (no buffer) or a write: programming only clears bits.
    pub(crate) fn programmed(old: &[u8], buffer: Option<&[u8]>) -> Vec<u8> {
        match buffer {
            None => vec![0xFF; old.len()],
            Some(buffer) => old.iter().zip(buffer).map(|(old, new)| old & new).collect(),
        }
    }
}
