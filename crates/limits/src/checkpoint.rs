//! Where a search writes down how far it is, so that another process can go on from there.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A directory for checkpoints, and which model is explored.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The directory.
    pub directory: PathBuf,
    /// What the exploration depends on: a search goes on only from one of the same model.
    pub model: String,
    /// Why a checkpoint cannot be used, if that was found out.
    problem: Arc<Mutex<Option<String>>>,
}

impl Checkpoint {
    /// Checkpoints in a directory.
    #[must_use]
    pub fn new(directory: PathBuf) -> Self {
        Checkpoint {
            directory,
            model: String::new(),
            problem: Arc::default(),
        }
    }

    /// The same directory for the exploration of a model.
    #[must_use]
    pub fn of_model(&self, model: String) -> Self {
        Checkpoint {
            model,
            ..self.clone()
        }
    }

    /// Notes why a checkpoint cannot be used.
    pub fn refuse(&self, message: String) {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        problem.get_or_insert(message);
    }

    /// Why a checkpoint cannot be used.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        problem.clone()
    }
}
