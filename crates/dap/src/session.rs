//! A session with a client: what it asks, and what it is told.
//!
//! Invariant: every request gets exactly one response; a request that needs a counterexample before there is
//! one is refused. The run stands still unless a request moves it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use serde_json::{Value, json};

use crate::breakpoints::{Breakpoints, Kind, Point, absolute, data, data_id, instruction, is_same_file};
use crate::launch::Launch;
use crate::message::{Received, Request, Sent};
use crate::protocol::{
    About, Client, Disassemble, Motion, SetBreakpoints, Wanted, address, capabilities, read,
};
use crate::recording::{Position, Recording, Stop, Stride, Way};
use crate::report::{Counterexample, chosen, counterexamples};
use crate::serve::{Host, Incoming, Running};
use crate::show::{self, Shown};
use crate::stacks::Instruction;
use crate::variables::Variable;

/// The most remarks about steps that one motion passes.
const REMARKS: usize = 200;

/// The most instructions that are listed at once.
const INSTRUCTIONS: usize = 10_000;

/// An instruction of the machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// Where it stands.
    pub address: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it is.
    pub text: String,
    /// The symbol that stands there.
    pub symbol: Option<String>,
    /// Its source line.
    pub place: Option<(String, u32)>,
}

/// The run where it stands, and what is shown of it.
#[derive(Debug)]
pub struct Seen<'s> {
    /// The run.
    pub recording: &'s Recording,
    /// Where it stands.
    pub at: Position,
    /// Where it stood before.
    before: Position,
    /// What relative paths of the trace begin at.
    pub base: &'s Path,
    /// What has a number.
    pub shown: &'s mut Shown,
    client: &'s Client,
}

impl Seen<'_> {
    /// Has it another value than before the last motion?
    pub fn is_changed(&self, variable: &Variable) -> bool {
        let text = |at: Position| variable.at(at.step).map(|(_, change)| &change.text);
        self.before != self.at && text(self.before) != text(self.at)
    }

    /// Its value, and the one before the last motion if that was another.
    pub fn value(&self, variable: &Variable) -> String {
        let text = |at: Position| variable.at(at.step).map(|(_, change)| change.text.as_str());
        let now = text(self.at).unwrap_or("?");
        match text(self.before) {
            Some(before) if before != now && self.before != self.at => format!("{now} ← {before}"),
            _ => now.to_owned(),
        }
    }

    /// Lines from 1, unless the client counts from 0.
    pub fn line_to_client(&self, line: u32) -> i64 {
        i64::from(line) - i64::from(!self.client.lines_start_at1 && line > 0)
    }

    /// Columns likewise; an unknown one is the first.
    pub fn column_to_client(&self, column: u32) -> i64 {
        i64::from(column.max(1)) - i64::from(!self.client.columns_start_at1)
    }
}

/// What the session waits for.
enum Phase {
    /// A `launch`.
    Fresh,
    /// A check.
    Checking(Request, Box<Launch>, Box<dyn Running>),
    /// Nothing: there is a run.
    Replaying(Box<Recording>),
}

/// A session.
pub struct Session<'h> {
    host: &'h dyn Host,
    tell: Sender<Incoming>,
    phase: Phase,
    client: Client,
    base: PathBuf,
    breakpoints: Breakpoints,
    at: Position,
    before: Position,
    shown: Shown,
    stop_on_entry: bool,
    exception: Option<String>,
    assembly: Option<Vec<Assembly>>,
    out: Vec<Sent>,
    /// What is sent behind the response.
    later: Vec<Sent>,
    is_over: bool,
}

impl<'h> Session<'h> {
    /// A session that reaches the world through a host, which tells of checks on a channel.
    pub fn new(host: &'h dyn Host, tell: Sender<Incoming>) -> Self {
        Session {
            host,
            tell,
            phase: Phase::Fresh,
            client: Client::default(),
            base: PathBuf::new(),
            breakpoints: Breakpoints::default(),
            at: Position::default(),
            before: Position::default(),
            shown: Shown::default(),
            stop_on_entry: true,
            exception: None,
            assembly: None,
            out: Vec::new(),
            later: Vec::new(),
            is_over: false,
        }
    }

    /// Whether the client has taken its leave.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Ends a check that goes on.
    pub fn stop(&mut self) {
        if let Phase::Checking(_, _, running) = &mut self.phase {
            running.stop();
        }
    }

    /// Takes in what happened, and gives what is to be sent.
    pub fn take(&mut self, incoming: Incoming) -> Vec<Sent> {
        match incoming {
            Incoming::Message(Ok(Some(Received::Request(request)))) => self.request(request),
            Incoming::Message(Ok(Some(Received::Malformed(seq, text)))) => {
                self.out.push(Sent::Refusal(seq, text));
            }
            Incoming::Message(Ok(None)) => {
                self.stop();
                self.is_over = true;
            }
            Incoming::Message(Err(broken)) => {
                self.stop();
                self.is_over = true;
                self.out.push(Sent::Refusal(0, broken.to_string()));
                self.out.push(Sent::Event("terminated", json!({})));
            }
            Incoming::Progress(line) => self.progress(&line),
            Incoming::Checked(report) => self.checked(report),
        }
        self.out.append(&mut self.later);
        std::mem::take(&mut self.out)
    }

    fn event(&mut self, name: &'static str, body: Value) {
        self.later.push(Sent::Event(name, body));
    }

    fn say(&mut self, category: &str, text: &str) {
        self.event("output", json!({"category": category, "output": text}));
    }

    fn request(&mut self, request: Request) {
        if request.command == "launch" {
            return self.launch(request);
        }
        let result = self.answer(&request);
        self.out.push(Sent::Response(request, result));
    }

    fn answer(&mut self, request: &Request) -> Result<Value, String> {
        let arguments = &request.arguments;
        match request.command.as_str() {
            "initialize" => {
                self.client = read(arguments)?;
                Ok(capabilities())
            }
            "cancel" => {
                self.stop();
                Ok(json!({}))
            }
            "terminate" => {
                self.stop();
                self.event("terminated", json!({}));
                Ok(json!({}))
            }
            "disconnect" => {
                self.stop();
                self.is_over = true;
                Ok(json!({}))
            }
            "attach" => {
                Err("nothing can be attached to: a counterexample is replayed; use `launch`".to_owned())
            }
            _ => self.of_run(request),
        }
    }

    /// What can be asked of a run.
    fn of_run(&mut self, request: &Request) -> Result<Value, String> {
        let arguments = &request.arguments;
        if !matches!(self.phase, Phase::Replaying(_)) {
            return Err(format!(
                "`{}` comes too early: there is no counterexample yet",
                request.command
            ));
        }
        match request.command.as_str() {
            "setBreakpoints" => self.set_line_breakpoints(&read(arguments)?),
            "setFunctionBreakpoints" => {
                let named = |wanted: &Wanted| Ok(Point::Function(wanted.name.trim().to_owned()));
                self.set_breakpoints(Kind::Function, read(arguments)?, &named)
            }
            "setInstructionBreakpoints" => {
                self.set_breakpoints(Kind::Instruction, read(arguments)?, &instruction)
            }
            "setDataBreakpoints" => self.set_breakpoints(Kind::Data, read(arguments)?, &data),
            "setExceptionBreakpoints" => {
                self.breakpoints.filters = read::<SetBreakpoints>(arguments)?.filters;
                Ok(json!({}))
            }
            "dataBreakpointInfo" => self.data_breakpoint_info(&read(arguments)?),
            "configurationDone" => self.begin(),
            "restart" => self.begin(),
            "threads" => Ok(show::threads(self.recording()?, self.at)),
            "stackTrace" => self.seen(&read(arguments)?, show::stack_trace),
            "scopes" => self.seen(&read(arguments)?, show::scopes),
            "variables" => self.seen(&read(arguments)?, show::variables),
            "evaluate" => self.seen(&read(arguments)?, show::evaluated),
            "next" => self.motion(arguments, Way::Forward, Stride::Over),
            "stepIn" => self.motion(arguments, Way::Forward, Stride::Into),
            "stepOut" => self.motion(arguments, Way::Forward, Stride::Out),
            "stepBack" => self.motion(arguments, Way::Back, Stride::Into),
            "continue" => {
                self.motion(arguments, Way::Forward, Stride::Free)?;
                Ok(json!({"allThreadsContinued": true}))
            }
            "reverseContinue" => self.motion(arguments, Way::Back, Stride::Free),
            "pause" => {
                self.stopped("pause", "", &[]);
                Ok(json!({}))
            }
            "gotoTargets" => self.goto_targets(&read(arguments)?),
            "goto" => self.goto(&read(arguments)?),
            "exceptionInfo" => self.exception_info(),
            "disassemble" => self.disassemble(&read(arguments)?),
            "loadedSources" => self.loaded_sources(),
            "source" => self.source(&read(arguments)?),
            _ => Err(format!("the request `{}` is not supported", request.command)),
        }
    }

    fn recording(&self) -> Result<&Recording, String> {
        match &self.phase {
            Phase::Replaying(recording) => Ok(recording),
            _ => Err("there is no counterexample yet".to_owned()),
        }
    }

    fn seen(
        &mut self,
        about: &About,
        show: impl Fn(&mut Seen<'_>, &About) -> Result<Value, String>,
    ) -> Result<Value, String> {
        let Phase::Replaying(recording) = &self.phase else {
            return Err("there is no counterexample yet".to_owned());
        };
        let mut seen = Seen {
            recording,
            at: self.at,
            before: self.before,
            base: &self.base,
            shown: &mut self.shown,
            client: &self.client,
        };
        show(&mut seen, about)
    }

    // The counterexample.

    fn launch(&mut self, request: Request) {
        if !matches!(self.phase, Phase::Fresh) {
            let text = "this session has a counterexample, or waits for one".to_owned();
            return self.out.push(Sent::Response(request, Err(text)));
        }
        let launch: Launch = match read(&request.arguments) {
            Ok(launch) => launch,
            Err(error) => return self.out.push(Sent::Response(request, Err(error))),
        };
        self.stop_on_entry = launch.stop_on_entry.unwrap_or(true);
        if let Some(report) = launch.report.clone() {
            let path = launch
                .cwd
                .as_ref()
                .map_or_else(|| report.clone(), |folder| folder.join(&report));
            let text = self.host.read(&path);
            let result = text.and_then(|text| self.load(&text, &launch));
            return self.launched(request, result);
        }
        let check = match launch.check() {
            Ok(check) => check,
            Err(error) => return self.out.push(Sent::Response(request, Err(error))),
        };
        match self.host.check(&check, self.tell.clone()) {
            Ok(running) => {
                self.say("console", &format!("{}\n", check.text()));
                if self.client.supports_progress_reporting {
                    let body = json!({
                        "progressId": "check", "title": "Kripke checks", "requestId": request.seq,
                        "cancellable": true,
                    });
                    self.event("progressStart", body);
                }
                self.phase = Phase::Checking(request, Box::new(launch), running);
            }
            Err(error) => self.out.push(Sent::Response(request, Err(error))),
        }
    }

    fn progress(&mut self, line: &str) {
        self.say("console", &format!("{line}\n"));
        if self.client.supports_progress_reporting && matches!(self.phase, Phase::Checking(..)) {
            self.event("progressUpdate", json!({"progressId": "check", "message": line}));
        }
    }

    fn checked(&mut self, report: Result<String, String>) {
        let phase = std::mem::replace(&mut self.phase, Phase::Fresh);
        let Phase::Checking(request, launch, _) = phase else {
            self.phase = phase;
            return;
        };
        if self.client.supports_progress_reporting {
            // Before the response: where that is a refusal, clients end the session and read no further, and
            // VS Code would show the check as running for ever.
            self.out
                .push(Sent::Event("progressEnd", json!({"progressId": "check"})));
        }
        let result = report.and_then(|text| self.load(&text, &launch));
        self.launched(request, result);
    }

    fn launched(&mut self, request: Request, result: Result<Recording, String>) {
        match result {
            Ok(recording) => {
                self.phase = Phase::Replaying(Box::new(recording));
                self.out.push(Sent::Response(request, Ok(json!({}))));
                self.event("initialized", json!({}));
            }
            Err(error) => {
                self.out.push(Sent::Response(request, Err(error)));
                self.event("terminated", json!({}));
            }
        }
    }

    fn load(&mut self, text: &str, launch: &Launch) -> Result<Recording, String> {
        let all = counterexamples(text)?;
        let one = chosen(&all, launch.property.as_deref())?.clone();
        if all.len() > 1 {
            let names: Vec<String> = all.iter().map(Counterexample::name).collect();
            let text = format!(
                "{} counterexamples: {}. This is that of {}; `property` chooses another.\n",
                all.len(),
                names.join(", "),
                one.name()
            );
            self.say("console", &text);
        }
        self.base = self.host.absolute(launch.cwd.as_deref().unwrap_or(Path::new("")));
        Ok(Recording::new(one))
    }

    fn begin(&mut self) -> Result<Value, String> {
        let recording = self.recording()?;
        let start = recording.start();
        let text = format!("{}: {}\n", recording.of.property, recording.violation());
        self.at = start;
        self.before = start;
        self.say("console", &text);
        if self.stop_on_entry {
            self.stopped("entry", "", &[]);
        } else {
            self.go(Way::Forward, Stride::Free);
        }
        Ok(json!({}))
    }

    // Motions.

    fn motion(&mut self, arguments: &Value, way: Way, stride: Stride) -> Result<Value, String> {
        let motion: Motion = read(arguments)?;
        let is_step = !matches!(stride, Stride::Free | Stride::Out);
        let stride = match motion.granularity.as_deref() {
            Some("instruction") if is_step => Stride::Single,
            _ => stride,
        };
        self.go(way, stride);
        Ok(json!({}))
    }

    fn go(&mut self, way: Way, stride: Stride) {
        let Phase::Replaying(recording) = &self.phase else {
            return;
        };
        let (breakpoints, base) = (&mut self.breakpoints, &self.base);
        let mut ids = Vec::new();
        let from = self.at;
        let (at, stop) = recording.go(from, way, stride, &mut |at| {
            let (stop, hit) = breakpoints.stop(at, way, recording, base)?;
            ids = hit;
            Some(stop)
        });
        if way == Way::Forward {
            self.remarks(from, at);
        }
        for text in std::mem::take(&mut self.breakpoints.said) {
            self.say("console", &text);
        }
        self.before = from;
        self.at = at;
        match stop {
            Stop::Found("exception", text) => self.stopped("exception", &text, &ids),
            Stop::Found(reason, text) => self.stopped(reason, &text, &ids),
            Stop::Arrived => self.stopped("step", "", &[]),
            Stop::Start => self.stopped("entry", "", &[]),
            Stop::End => self.ended(from, at),
        }
    }

    /// The end of the run, or of a round in its loop.
    fn ended(&mut self, from: Position, at: Position) {
        let Ok(recording) = self.recording() else { return };
        let text = recording.violation();
        let has_loop = recording.of.trace.loop_start.is_some();
        if from == at {
            self.say("console", "The counterexample ends here; it can be gone back.\n");
        } else if has_loop {
            self.say("console", "The loop's end: what comes next is its start again.\n");
        }
        self.stopped("exception", &text, &[]);
    }

    /// What happened on the way.
    fn remarks(&mut self, from: Position, to: Position) {
        let Phase::Replaying(recording) = &self.phase else {
            return;
        };
        let mut remarks = Vec::new();
        let (mut at, mut left_out) = (from, 0_usize);
        while at != to {
            if let Some(remark) = recording.remark(at.step) {
                match remarks.len() < REMARKS {
                    true => remarks.push(remark),
                    false => left_out += 1,
                }
            }
            let Some(next) = recording.after(at) else { break };
            if next.round > at.round {
                let text = format!(
                    "Round {}: the run goes on at the start of its loop (step {}), and so for ever.\n",
                    u64::from(next.round) + 1,
                    next.step + 1
                );
                remarks.push((text, false));
            }
            at = next;
        }
        for (text, is_output) in remarks {
            self.say(if is_output { "stdout" } else { "console" }, &text);
        }
        if left_out > 0 {
            self.say("console", &format!("… and {left_out} more\n"));
        }
    }

    fn stopped(&mut self, reason: &str, text: &str, ids: &[i64]) {
        self.shown = Shown::default();
        self.exception = (reason == "exception").then(|| text.to_owned());
        let lane = self
            .recording()
            .map_or(0, |recording| recording.lane(self.at.step));
        let mut body = json!({"reason": reason, "threadId": lane + 1, "allThreadsStopped": true});
        if !text.is_empty() {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        if !ids.is_empty() {
            body["hitBreakpointIds"] = json!(ids);
        }
        self.event("stopped", body);
    }

    fn line_from_client(&self, line: i64) -> u32 {
        let line = line.saturating_add(i64::from(!self.client.lines_start_at1));
        u32::try_from(line).unwrap_or(0)
    }

    fn goto_targets(&mut self, about: &About) -> Result<Value, String> {
        /// More targets on one line help nobody.
        const MOST: usize = 50;
        let path = about.source.path.clone().ok_or("the source has no path")?;
        let line = self.line_from_client(about.line);
        let recording = self.recording()?;
        let is_there = |step: &usize| {
            let place = recording.step(*step).map(|step| &step.place);
            place.is_some_and(|place| {
                place.line == line && is_same_file(&self.base, &place.file, Path::new(&path))
            }) && recording.is_arrival(*step)
        };
        let steps = (0..recording.steps().len()).filter(is_there).take(MOST);
        let targets: Vec<Value> = steps
            .enumerate()
            .map(|(visit, step)| {
                let label = format!("visit {} (step {})", visit + 1, step + 1);
                json!({"id": step, "label": label, "line": about.line})
            })
            .collect();
        Ok(json!({"targets": targets}))
    }

    fn goto(&mut self, about: &About) -> Result<Value, String> {
        let step = usize::try_from(about.target_id).ok();
        let step = step.filter(|step| self.recording().is_ok_and(|recording| *step <= recording.last()));
        let step = step.ok_or_else(|| format!("there is no step {}", about.target_id))?;
        self.before = self.at;
        self.at = Position { step, round: 0 };
        self.stopped("goto", "", &[]);
        Ok(json!({}))
    }

    // Breakpoints.

    fn set_line_breakpoints(&mut self, wanted: &SetBreakpoints) -> Result<Value, String> {
        let path = PathBuf::from(wanted.source.path.clone().ok_or("the source has no path")?);
        let points = wanted.breakpoints.iter().map(|wanted| {
            let line = self.line_from_client(wanted.line);
            (wanted.clone(), Ok(Point::Line(path.clone(), line)))
        });
        let points = points.collect();
        let Phase::Replaying(recording) = &self.phase else {
            return Err("there is no counterexample yet".to_owned());
        };
        let mut answers = self
            .breakpoints
            .set(Kind::Line, &path, points, recording, &self.base);
        for (answer, wanted) in answers.iter_mut().zip(&wanted.breakpoints) {
            answer["line"] = json!(wanted.line);
        }
        Ok(json!({"breakpoints": answers}))
    }

    fn set_breakpoints(
        &mut self,
        kind: Kind,
        wanted: SetBreakpoints,
        point: &dyn Fn(&Wanted) -> Result<Point, String>,
    ) -> Result<Value, String> {
        let Phase::Replaying(recording) = &self.phase else {
            return Err("there is no counterexample yet".to_owned());
        };
        let points = wanted.breakpoints.into_iter().map(|wanted| {
            let point = point(&wanted);
            (wanted, point)
        });
        let points = points.collect();
        let answers = self
            .breakpoints
            .set(kind, Path::new(""), points, recording, &self.base);
        Ok(json!({"breakpoints": answers}))
    }

    fn data_breakpoint_info(&mut self, about: &About) -> Result<Value, String> {
        self.seen(about, |seen, about| {
            Ok(match show::home(seen, about) {
                Ok((home, name)) => json!({
                    "dataId": data_id(home, &name, seen.recording),
                    "description": name, "accessTypes": ["write"],
                }),
                Err(error) => json!({"dataId": null, "description": error}),
            })
        })
    }

    fn exception_info(&mut self) -> Result<Value, String> {
        let Some(text) = self.exception.clone() else {
            return Err("the run does not stand at a violation".to_owned());
        };
        let Counterexample {
            property,
            kind,
            formula,
            ..
        } = &self.recording()?.of;
        Ok(json!({
            "exceptionId": property, "description": text, "breakMode": "always",
            "details": {"message": text, "typeName": kind, "evaluateName": formula},
        }))
    }

    // Files and machine code.

    fn loaded_sources(&mut self) -> Result<Value, String> {
        self.seen(&About::default(), |seen, _| {
            let mut files: Vec<&str> = Vec::new();
            for step in seen.recording.steps() {
                let file = step.place.file.as_str();
                if !file.is_empty() && !files.contains(&file) {
                    files.push(file);
                }
            }
            let sources: Vec<Value> = files.iter().map(|file| show::source(seen, file)).collect();
            Ok(json!({"sources": sources}))
        })
    }

    fn source(&self, about: &About) -> Result<Value, String> {
        let path = about.source.path.as_deref().ok_or("the source has no path")?;
        let path = Path::new(path);
        // Only what the counterexample names is read.
        let mut steps = self.recording()?.steps().iter();
        if !steps.any(|step| is_same_file(&self.base, &step.place.file, path)) {
            return Err(format!("the counterexample does not name {}", path.display()));
        }
        let text = self.host.read(&absolute(&self.base, &path.to_string_lossy()))?;
        Ok(json!({"content": text, "mimeType": "text/x-c"}))
    }

    fn disassemble(&mut self, wanted: &Disassemble) -> Result<Value, String> {
        let start = address(&wanted.memory_reference)
            .ok_or_else(|| format!("`{}` is no address", wanted.memory_reference))?
            .saturating_add(wanted.offset);
        if self.assembly.is_none() {
            let of_file = self
                .recording()?
                .of
                .inputs
                .first()
                .and_then(|file| self.host.assembly(&absolute(&self.base, file)));
            let listing = of_file.unwrap_or_else(|| self.executed());
            self.assembly = Some(listing);
        }
        let listing = self.assembly.as_deref().unwrap_or_default();
        let base = listing.partition_point(|one| i64::from(one.address) < start);
        let first = (base as i64).saturating_add(wanted.instruction_offset);
        let count = wanted.instruction_count.min(INSTRUCTIONS) as i64;
        let shown = (first..first.saturating_add(count)).map(|index| {
            let found = usize::try_from(index).ok().and_then(|index| listing.get(index));
            self.instruction(found, index)
        });
        let shown: Vec<Value> = shown.collect();
        Ok(json!({"instructions": shown}))
    }

    fn instruction(&self, found: Option<&Assembly>, index: i64) -> Value {
        let Some(one) = found else {
            // As many as were asked for have to be given; these stand before the first or behind the last.
            let address = if index < 0 {
                "0x0000".to_owned()
            } else {
                format!("{:#06x}", 0xffff_fff0_u32)
            };
            return json!({"address": address, "instruction": "(none)", "presentationHint": "invalid"});
        };
        let bytes: Vec<String> = one.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut shown = json!({
            "address": format!("{:#06x}", one.address), "instruction": one.text,
            "instructionBytes": bytes.join(" "),
        });
        if let Some(symbol) = &one.symbol {
            shown["symbol"] = json!(symbol);
        }
        if let Some((file, line)) = &one.place {
            let path = absolute(&self.base, file);
            shown["location"] = json!({"path": path.to_string_lossy()});
            shown["line"] = json!(line);
        }
        shown
    }

    /// What the run executes, where the file is not there.
    fn executed(&self) -> Vec<Assembly> {
        let steps = self.recording().map_or(&[][..], Recording::steps);
        let instructions = steps
            .iter()
            .filter_map(|step| Some((step, Instruction::of(step)?)));
        let mut all: Vec<Assembly> = instructions
            .map(|(step, at)| Assembly {
                address: at.address,
                bytes: Vec::new(),
                text: at.text.to_owned(),
                symbol: at.is_start.then(|| at.symbol.to_owned()),
                place: (step.place.line > 0).then(|| (step.place.file.clone(), step.place.line)),
            })
            .collect();
        all.sort_by_key(|one| one.address);
        all.dedup_by_key(|one| one.address);
        all
    }
}
