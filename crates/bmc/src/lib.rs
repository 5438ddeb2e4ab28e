//! Symbolic execution of ELTS: unwinding, memory, k-induction.
