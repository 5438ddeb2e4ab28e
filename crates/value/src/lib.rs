//! Concrete machine values: bit-vectors of any width and IEEE floats, with exact arithmetic.
