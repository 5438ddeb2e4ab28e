//! Hash-consed terms, rewriting and solvers.
