//! Verdicts and traces as text, JSON and C harnesses.
