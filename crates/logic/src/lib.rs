//! Temporal formulas, Büchi automata and monitors.
