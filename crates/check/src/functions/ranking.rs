//! From the verdicts of all runs to one verdict for each property, and to findings by rank.
//!
//! Idea: a property is violated where a run from an entry point violates it. It holds where it holds for
//! every start in its own function, or in every run from the entry points that may come to it: then its
//! callers in the program do not pass what violates it. Everything else is open.
//!
//! Invariant: a property that some run violates whose start has callers is never called *holds* without a
//! proof from every entry point that may come to it.

use std::collections::{BTreeMap, BTreeSet};

use kripke_model::{
    Argument, Finding, FunctionResult, FunctionsReport, Outcome, PropertyResult, Rank, Reason, Report,
    Statistics, Verdict,
};

use super::gathered::{Answer, Gathered, Key, Violation};
use super::starts::Start;
use crate::Checked;

/// A violation of a property at one place, with the start of its run.
type Shown = (usize, Violation);

/// What is known of one property.
struct Judged {
    result: PropertyResult,
    findings: Vec<Finding>,
}

impl Gathered {
    /// The report as of now; what no run has come to is open for this reason.
    pub fn checked(&self, unfinished: &Reason) -> Checked {
        let judge = Judge {
            all: self,
            unfinished,
        };
        let judged: Vec<Judged> = self.keys().iter().map(|key| judge.judge(key)).collect();
        let mut report = Report {
            statistics: self.statistics(),
            incomplete: judge.incomplete(),
            ..Report::default()
        };
        let mut findings = Vec::new();
        for judged in judged {
            report.results.push(judged.result);
            findings.extend(judged.findings);
        }
        // Stable: within a rank the order of the sources stays.
        findings.sort_by_key(|finding: &Finding| finding.rank);
        let functions = judge.functions(&report, &findings);
        report.assumptions = self.assumptions(&functions);
        Checked {
            report,
            files: self.files.clone(),
            functions: Some(FunctionsReport { functions, findings }),
            ..Checked::default()
        }
    }

    /// All properties, those of library models last; of functions that are not wanted only what runs from
    /// wanted ones violate.
    fn keys(&self) -> Vec<Key> {
        let unwanted = self.starts.iter().filter(|start| !start.is_wanted);
        let unwanted: BTreeSet<&str> = unwanted.map(|start| start.function.name.as_str()).collect();
        let mut keys: Vec<(bool, Key)> = Vec::new();
        let mut seen = BTreeSet::new();
        for (start, shown) in self.starts.iter().zip(&self.shown) {
            for (key, answer) in &shown.verdicts {
                let place = &answer.property.place;
                let is_found = start.is_wanted && answer.is_violated();
                let is_meant = is_found || !unwanted.contains(place.function.as_str());
                if is_meant && seen.insert(key) {
                    keys.push((place.is_in_library(), key.clone()));
                }
            }
        }
        keys.sort();
        keys.into_iter().map(|(_, key)| key).collect()
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            seconds: self.started.elapsed().as_secs_f64(),
            solver_seconds: self.shown.iter().map(|shown| shown.solver_seconds).sum(),
            queries: self.shown.iter().map(|shown| shown.queries).sum(),
            bound: self.shown.iter().map(|shown| shown.bound).max().unwrap_or(0),
            peak_memory: kripke_limits::peak().unwrap_or(0),
            interleavings: None,
            explored: None,
        }
    }

    /// What the runs rest on, those lines in one that say the same of each function.
    fn assumptions(&self, functions: &[FunctionResult]) -> Vec<String> {
        let mut all: BTreeSet<String> = BTreeSet::new();
        let mut are_made = false;
        let is_all_in_main = self.is_all_in_main();
        for (start, shown) in self.starts.iter().zip(&self.shown) {
            let name = format!("`{}`", start.function.entry);
            for line in &shown.assumptions {
                let is_own = (line.contains(&name) && line.contains("object")) || line.contains("(--entry-");
                are_made |= is_own;
                if !is_own {
                    all.insert(line.clone());
                }
            }
        }
        let mut all: Vec<String> = all.into_iter().collect();
        if !is_all_in_main && self.shown.iter().any(|shown| shown.any_globals) {
            all.push(
                "numbers in global variables are whatever earlier calls may have left; pointers in them, and \
                 unions, bit-fields and long arrays beside these or volatile, are as initialised"
                    .to_owned(),
            );
        }
        if self.starts.iter().filter(|start| start.is_entry_point).count() > 1 {
            all.push("no function is interrupted by one that is called from outside".to_owned());
        }
        if are_made && !is_all_in_main {
            all.push(
                "pointers lead to objects that are made for them, as --entry does: one for each, up to a \
                 depth (--entry-objects, --entry-depth)"
                    .to_owned(),
            );
        }
        for function in functions.iter().filter(|function| !function.not_null.is_empty()) {
            let conditions: Vec<String> = function
                .not_null
                .iter()
                .map(|name| format!("{name} != NULL"))
                .collect();
            all.push(format!(
                "`{}` is called with {}",
                function.name,
                conditions.join(", ")
            ));
        }
        for (start, shown) in self.starts.iter().zip(&self.shown) {
            let is_open = start.is_entry_point && start.is_needed && !shown.is_null_settled;
            if is_open && start.has_pointers() && shown.refused.is_none() {
                let name = &start.function.entry;
                all.push(format!(
                    "the pointers that `{name}` gets are not null: not all runs where one is were seen"
                ));
            }
        }
        all.extend(self.granted.iter().cloned());
        all
    }
}

impl Gathered {
    /// Is `main` the only entry point, and does everything hold in its runs? Then no other run matters.
    fn is_all_in_main(&self) -> bool {
        let points = self
            .starts
            .iter()
            .zip(&self.shown)
            .filter(|(start, _)| start.is_entry_point);
        points.into_iter().all(|(start, shown)| {
            let mut answers = shown.verdicts.values();
            start.is_main()
                && !shown.time.is_zero()
                && answers.all(|answer| matches!(answer.verdict, Verdict::Holds { .. }))
        })
    }
}

/// Judges single properties.
struct Judge<'g> {
    all: &'g Gathered,
    unfinished: &'g Reason,
}

impl<'g> Judge<'g> {
    fn judge(&self, key: &Key) -> Judged {
        let (starts, answers): (Vec<usize>, Vec<&Answer>) = self.answers(key).unzip();
        let Some(first) = answers.first() else {
            unreachable!("a key is that of some result");
        };
        let mut places: BTreeMap<(String, u32, u32), Vec<Shown>> = BTreeMap::new();
        let shown = starts.iter().zip(&answers);
        let shown = shown.filter_map(|(start, answer)| Some((*start, answer.violation()?)));
        let with_null = self.with_null(key);
        let is_point = |start: usize| self.all.starts[start].is_entry_point;
        let mut findings = Vec::new();
        for (start, violation) in shown {
            let place = &violation.place;
            let place = (place.file.clone(), place.line, place.column);
            places.entry(place).or_default().push((start, violation));
        }
        let home = self.home(first);
        for violations in places.into_values() {
            findings.extend(self.finding(violations, home, key));
        }
        for (start, violation) in with_null.into_iter().filter(|(start, _)| is_point(*start)) {
            let finding = self.as_finding(start, violation, Rank::Null);
            match findings.iter_mut().find(|other| other.place == finding.place) {
                Some(other) if other.rank > Rank::Null => *other = finding,
                Some(_) => {}
                None => findings.push(finding),
            }
        }
        let verdict = self.verdict(key, home, &findings);
        let property = first.property.clone();
        Judged {
            result: PropertyResult::new(property, verdict),
            findings,
        }
    }

    /// The verdicts on a property, with their starts.
    fn answers(&self, key: &Key) -> impl Iterator<Item = (usize, &'g Answer)> {
        let shown = self.all.shown.iter().enumerate();
        shown.filter_map(move |(start, shown)| Some((start, shown.verdicts.get(key)?)))
    }

    fn with_null(&self, key: &Key) -> Vec<Shown> {
        let shown = self.all.shown.iter().enumerate();
        shown
            .flat_map(|(start, shown)| shown.with_null.iter().map(move |violation| (start, violation)))
            .filter(|(_, violation)| Key::of(&violation.property) == *key)
            .map(|(start, violation)| (start, violation.clone()))
            .collect()
    }

    /// The start in whose function a property is; none for one of a library model.
    fn home(&self, answer: &Answer) -> Option<usize> {
        let starts = &self.all.starts;
        let name = &answer.property.place.function;
        starts.iter().position(|start| start.function.name == *name)
    }

    /// The strongest finding that violations of a property at one place are.
    fn finding(&self, mut violations: Vec<Shown>, home: Option<usize>, key: &Key) -> Option<Finding> {
        let excluded = self.holds_from_entry_points(key);
        let rank = |(start, violation): &Shown| match &self.all.starts[*start] {
            start if start.is_entry_point => start.rank(violation.evidence.rests_on_objects),
            _ if excluded => Rank::Excluded,
            _ if !violation.evidence.null.is_empty() => Rank::Null,
            _ => Rank::Callers,
        };
        violations.sort_by_key(|shown| {
            let (start, violation) = shown;
            let steps = violation.evidence.trace.steps.len();
            (rank(shown), Some(*start) != home, steps, *start)
        });
        let strongest = violations.into_iter().next()?;
        let rank = rank(&strongest);
        let (start, violation) = strongest;
        Some(self.as_finding(start, violation, rank))
    }

    fn as_finding(&self, start: usize, violation: Violation, rank: Rank) -> Finding {
        Finding {
            property: violation.property,
            place: violation.place,
            rank,
            start: self.all.starts[start].function.entry.clone(),
            null: violation.evidence.null,
            contents: violation.evidence.contents,
            trace: violation.evidence.trace,
        }
    }

    fn verdict(&self, key: &Key, home: Option<usize>, findings: &[Finding]) -> Verdict {
        if let Some(finding) = findings
            .iter()
            .filter(|finding| finding.rank.is_violation())
            .min_by_key(|finding| finding.rank)
        {
            return Verdict::Violated {
                trace: finding.trace.clone(),
            };
        }
        let is_violated = self.answers(key).any(|(_, answer)| answer.is_violated());
        let own = match home {
            Some(home) => self.argument(home, key),
            None => self.argument_of_all(self.reaching(key, |_| true), key),
        };
        let argument = self
            .argument_of_all(self.entry_points(key), key)
            .or_else(|| own.filter(|_| !is_violated));
        match argument {
            Some(argument) => Verdict::Holds { argument },
            None => Verdict::Unknown {
                reason: self.reason(key, home),
            },
        }
    }

    /// The entry points whose runs may come to a property.
    fn entry_points(&self, key: &Key) -> Vec<usize> {
        self.reaching(key, |start| start.is_entry_point)
    }

    /// The starts of a kind whose runs may come to the function of a property.
    fn reaching(&self, key: &Key, is_meant: impl Fn(&Start) -> bool) -> Vec<usize> {
        let starts = self.all.starts.iter().enumerate();
        let reaching = starts.filter(|(_, start)| is_meant(start) && start.may_reach(&key.function));
        reaching.map(|(index, _)| index).collect()
    }

    fn holds_from_entry_points(&self, key: &Key) -> bool {
        self.argument_of_all(self.entry_points(key), key).is_some()
    }

    /// Why a property holds for one start.
    fn argument(&self, start: usize, key: &Key) -> Option<Argument> {
        match &self.all.shown[start].verdicts.get(key)?.verdict {
            Verdict::Holds { argument } => Some(argument.clone()),
            _ => None,
        }
    }

    /// Why a property holds for all of these starts: the argument that says most. Where there is none, no run
    /// comes to it.
    fn argument_of_all(&self, starts: Vec<usize>, key: &Key) -> Option<Argument> {
        if starts.is_empty() {
            return Some(Argument::Trivial);
        }
        let arguments: Option<Vec<Argument>> = starts
            .into_iter()
            .map(|start| self.argument(start, key))
            .collect();
        let arguments = arguments?;
        let telling = arguments.iter().find(|argument| **argument != Argument::Trivial);
        telling.or(arguments.first()).cloned()
    }

    /// Why a property is open: where an entry point leaves it open, that decides.
    fn reason(&self, key: &Key, home: Option<usize>) -> Reason {
        let points = self.entry_points(key).into_iter();
        let decide = |start: &usize| {
            let answer = self.all.shown[*start].verdicts.get(key);
            answer.is_some_and(Answer::is_violated)
        };
        if let Some(start) = points.clone().find(decide) {
            return Reason::Callers {
                function: self.all.starts[start].function.entry.clone(),
            };
        }
        for start in points.chain(home) {
            let shown = &self.all.shown[start];
            if let Some(what) = &shown.refused {
                return refusal(&self.all.starts[start], what);
            }
            match shown.verdicts.get(key).map(|answer| &answer.verdict) {
                Some(Verdict::Unknown { reason }) => return reason.clone(),
                None => return self.unfinished.clone(),
                Some(_) => {}
            }
        }
        self.unfinished.clone()
    }

    /// What hides a part of the program: an entry point that no run can start in, or whose runs end at
    /// something unsupported.
    fn incomplete(&self) -> Option<Reason> {
        let pairs = self.all.starts.iter().zip(&self.all.shown);
        let mut points = pairs.filter(|(start, _)| start.is_entry_point && start.is_needed);
        points.find_map(|(start, shown)| match &shown.refused {
            Some(what) => Some(refusal(start, what)),
            None if shown.time.is_zero() => Some(self.unfinished.clone()),
            None => shown.incomplete.clone(),
        })
    }

    fn functions(&self, report: &Report, findings: &[Finding]) -> Vec<FunctionResult> {
        let wanted = self.all.starts.iter().enumerate();
        wanted
            .filter(|(_, start)| start.is_wanted)
            .map(|(index, start)| self.function(index, start, report, findings))
            .collect()
    }

    fn function(&self, index: usize, start: &Start, report: &Report, findings: &[Finding]) -> FunctionResult {
        let name = &start.function.name;
        let shown = &self.all.shown[index];
        let is_open_here = |result: &PropertyResult| {
            let own = shown.verdicts.get(&Key::of(&result.property));
            own.is_none_or(|own| matches!(own.verdict, Verdict::Unknown { .. }))
        };
        let open = |is_meant: &dyn Fn(&PropertyResult) -> bool| -> Vec<&Reason> {
            let results = report.results.iter().filter(|result| is_meant(result));
            let reasons = results.filter_map(|result| match &result.verdict {
                Verdict::Unknown { reason } => Some(reason),
                _ => None,
            });
            reasons.collect()
        };
        let own = open(&|result| result.property.place.function == *name);
        // What the C library wants of this function, and its runs leave open.
        let library =
            open(&|result| start.library.contains(&result.property.place.function) && is_open_here(result));
        let here = || findings.iter().filter(|finding| finding.place.function == *name);
        let is_hidden = start.is_entry_point && (shown.refused.is_some() || shown.incomplete.is_some());
        let verdict = if here().any(|finding| finding.rank.is_violation()) {
            Outcome::Violated
        } else if here().any(|finding| matches!(finding.rank, Rank::Objects | Rank::Callers))
            || !own.is_empty()
            || !library.is_empty()
            || is_hidden
            || shown.time.is_zero()
        {
            Outcome::Unknown
        } else {
            Outcome::Holds
        };
        let reason = own.iter().chain(&library).next().copied().cloned();
        let reason = reason.or(shown.incomplete.clone());
        FunctionResult {
            name: start.function.entry.clone(),
            place: start.place(),
            is_entry_point: start.is_entry_point,
            is_callback: start.is_callback,
            callers: start.callers.clone(),
            verdict,
            unknown: own.len(),
            reason: reason.filter(|_| verdict == Outcome::Unknown && shown.refused.is_none()),
            refused: shown.refused.clone(),
            not_null: self.not_null(start, findings),
            seconds: shown.time.as_secs_f64(),
        }
    }

    /// The parameters of an entry point that null findings are about.
    fn not_null(&self, start: &Start, findings: &[Finding]) -> Vec<String> {
        let own = findings
            .iter()
            .filter(|finding| finding.rank == Rank::Null && finding.start == start.function.entry)
            .filter(|_| start.is_entry_point);
        let names: BTreeSet<&String> = own.flat_map(|finding| &finding.null).collect();
        names.into_iter().cloned().collect()
    }
}

fn refusal(start: &Start, what: &str) -> Reason {
    Reason::Unsupported {
        what: format!("no run can start in `{}` ({what})", start.function.entry),
        place: format!("{}:{}", start.function.file, start.function.line),
    }
}
