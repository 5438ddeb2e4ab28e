//! A session with an editor: its requests and notifications, the checks it starts, and what it is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crossbeam_channel::{Sender, select, unbounded};
use kripke_model::{StepKind, Trace};
use kripke_report::step_text;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{DidSaveTextDocument, Exit, Notification as _, WorkDoneProgressCancel};
use lsp_types::request::{
    CodeLensRefresh, CodeLensRequest, ExecuteCommand, HoverRequest, Request as _, Shutdown,
};
use lsp_types::{
    CodeLens, CodeLensParams, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DidSaveTextDocumentParams, ExecuteCommandParams, HoverParams, InitializeParams, Location, NumberOrString,
    Position, Range, Url, WorkDoneProgressCancelParams,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::position::range;
use crate::report::{Finding, Findings, Weight, read};

/// So many steps of a run are shown with a finding.
const STEPS: usize = 20;

/// A check to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The arguments of `kripke`, before the option for the report.
    pub arguments: Vec<String>,
    /// Those of the user, which may be for the compiler at the end.
    pub further: Vec<String>,
    /// The option that takes the report's name.
    pub option: &'static str,
    /// Where it runs, and what relative paths of its report begin at.
    pub folder: PathBuf,
}

impl Check {
    /// The arguments of `kripke` that make it write its report to a file.
    pub fn command(&self, report: &Path) -> Vec<String> {
        let color = ["--color".to_owned(), "never".to_owned()];
        let own = color.into_iter().chain(self.arguments.iter().cloned());
        let report = format!("{}={}", self.option, report.display());
        own.chain([report]).chain(self.further.iter().cloned()).collect()
    }
}

/// What a check tells of itself, by its number.
pub enum Told {
    /// A line about how far it is.
    Progress(u64, String),
    /// Its report, or why there is none.
    Checked(u64, Result<String, String>),
}

/// What the server needs of the world.
pub trait Host {
    /// The text of a file.
    fn read(&self, path: &Path) -> Option<String>;
    /// Starts a check, which tells of itself by its number.
    fn start(&self, check: &Check, number: u64, tell: Sender<Told>) -> Result<Box<dyn Running>, String>;
}

/// A check that goes on.
pub trait Running {
    /// Ends it.
    fn stop(&mut self);
}

/// What an editor sets up.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Options {
    /// Further arguments of every check.
    arguments: Vec<String>,
    /// Check only when asked to.
    no_check_on_save: bool,
}

/// A check that has not ended.
struct Active {
    number: u64,
    running: Box<dyn Running>,
    folder: PathBuf,
    title: String,
}

struct Session<'s> {
    sender: &'s Sender<Message>,
    host: &'s dyn Host,
    tell: Sender<Told>,
    options: Options,
    root: Option<PathBuf>,
    shows_progress: bool,
    refreshes_lenses: bool,
    started: u64,
    /// By what is checked: a file, or a folder.
    active: BTreeMap<PathBuf, Active>,
    known: BTreeMap<PathBuf, Findings>,
    /// Files with diagnostics.
    published: BTreeSet<PathBuf>,
}

/// Answers an editor until it ends the session.
pub fn serve(connection: &Connection, host: &dyn Host) -> Result<(), String> {
    let capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "save": { "includeText": false } },
        "codeLensProvider": {},
        "hoverProvider": true,
        "executeCommandProvider": { "commands": COMMANDS },
    });
    let parameters = connection
        .initialize(capabilities)
        .map_err(|error| error.to_string())?;
    let parameters: InitializeParams =
        serde_json::from_value(parameters).map_err(|error| error.to_string())?;
    let (tell, told) = unbounded();
    let mut session = Session::new(&connection.sender, host, tell, parameters);
    loop {
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => {
                    if request.method == Shutdown::METHOD {
                        session.stop_all();
                        session.send(Response::new_ok(request.id, Value::Null));
                        return exit(connection);
                    }
                    session.request(request);
                }
                Ok(Message::Notification(notification)) => session.notification(&notification),
                // Answers to what was told; nothing depends on them.
                Ok(Message::Response(_)) => {}
                Err(_) => {
                    session.stop_all();
                    return Err("the editor is gone".to_owned());
                }
            },
            recv(told) -> told => if let Ok(told) = told { session.told(told) },
        }
    }
}

/// Waits for the last notification; answers that are on their way come before it.
fn exit(connection: &Connection) -> Result<(), String> {
    for message in &connection.receiver {
        if matches!(message, Message::Notification(last) if last.method == Exit::METHOD) {
            return Ok(());
        }
    }
    Err("the editor is gone".to_owned())
}

const COMMANDS: [&str; 4] = [
    "kripke.checkFile",
    "kripke.checkFunction",
    "kripke.checkProject",
    "kripke.stop",
];

/// The parameters of a message; none where they are others.
fn parameters<P: DeserializeOwned>(value: Value) -> Result<P, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

impl<'s> Session<'s> {
    fn new(
        sender: &'s Sender<Message>,
        host: &'s dyn Host,
        tell: Sender<Told>,
        parameters: InitializeParams,
    ) -> Self {
        let options = parameters.initialization_options.unwrap_or_default();
        let window = parameters.capabilities.window;
        let lenses = parameters
            .capabilities
            .workspace
            .and_then(|workspace| workspace.code_lens);
        let folders = parameters.workspace_folders.unwrap_or_default();
        let mut session = Session {
            sender,
            host,
            tell,
            options: Options::default(),
            root: folders.first().and_then(|folder| folder.uri.to_file_path().ok()),
            shows_progress: window
                .and_then(|window| window.work_done_progress)
                .unwrap_or(false),
            refreshes_lenses: lenses.and_then(|lenses| lenses.refresh_support).unwrap_or(false),
            started: 0,
            active: BTreeMap::new(),
            known: BTreeMap::new(),
            published: BTreeSet::new(),
        };
        match serde_json::from_value::<Option<Options>>(options) {
            Ok(options) => session.options = options.unwrap_or_default(),
            Err(error) => session.show_error(&format!("initializationOptions: {error}")),
        }
        session
    }

    fn send(&self, message: impl Into<Message>) {
        // Where nobody listens any more, the session is about to end.
        let _ = self.sender.send(message.into());
    }

    fn notify(&self, method: &str, parameters: Value) {
        self.send(Notification::new(method.to_owned(), parameters));
    }

    fn show_error(&self, message: &str) {
        self.notify(
            "window/showMessage",
            json!({ "type": 1, "message": format!("kripke: {message}") }),
        );
    }

    fn request(&mut self, request: Request) {
        let Request {
            id, method, params, ..
        } = request;
        let answer = match method.as_str() {
            CodeLensRequest::METHOD => parameters(params).map(|params| self.lenses(&params)),
            HoverRequest::METHOD => parameters(params).map(|params| self.hover(&params)),
            ExecuteCommand::METHOD => parameters(params).and_then(|params| self.execute(params)),
            _ => {
                let message = format!("{method} is not known");
                self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, message));
                return;
            }
        };
        self.answer(id, answer);
    }

    fn answer(&self, id: RequestId, answer: Result<Value, String>) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error),
        });
    }

    fn notification(&mut self, notification: &Notification) {
        let params = notification.params.clone();
        match notification.method.as_str() {
            DidSaveTextDocument::METHOD => {
                let Ok(params) = parameters::<DidSaveTextDocumentParams>(params) else {
                    return;
                };
                let Ok(file) = params.text_document.uri.to_file_path() else {
                    return;
                };
                if !self.options.no_check_on_save
                    && file.extension().is_some_and(|extension| extension == "c")
                {
                    self.check_file(&file, None);
                }
            }
            WorkDoneProgressCancel::METHOD => {
                if let Ok(params) = parameters::<WorkDoneProgressCancelParams>(params) {
                    let token = |active: &Active| NumberOrString::String(active.token());
                    let found = self
                        .active
                        .iter()
                        .find(|(_, active)| token(active) == params.token);
                    if let Some(what) = found.map(|(what, _)| what.clone()) {
                        self.stop(&what);
                    }
                }
            }
            // Others are about what is not looked at before it is saved.
            _ => {}
        }
    }

    fn execute(&mut self, params: ExecuteCommandParams) -> Result<Value, String> {
        let mut arguments = params.arguments.into_iter();
        let mut path = || {
            let address: Option<Url> = arguments
                .next()
                .and_then(|value| serde_json::from_value(value).ok());
            let address = address.ok_or("the first argument is no address of a file")?;
            address
                .to_file_path()
                .map_err(|()| format!("{address} is no file"))
        };
        match params.command.as_str() {
            "kripke.checkFile" => {
                let file = path()?;
                self.check_file(&file, None);
            }
            "kripke.checkFunction" => {
                let file = path()?;
                let name = arguments.next();
                let name = name
                    .as_ref()
                    .and_then(Value::as_str)
                    .ok_or("the second is no function's name")?;
                self.check_file(&file, Some(name));
            }
            "kripke.checkProject" => {
                let file = path()?;
                let folder = if file.ends_with("kripke.toml") {
                    file.parent()
                } else {
                    Some(file.as_path())
                };
                self.check_project(folder.unwrap_or(&file));
            }
            "kripke.stop" => self.stop_all(),
            other => return Err(format!("no command '{other}'")),
        }
        Ok(Value::Null)
    }

    /// Checks the functions of a file, or one of them.
    fn check_file(&mut self, file: &Path, function: Option<&str>) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut each = "--each-function".to_owned();
        let mut title = name.clone().into_owned();
        if let Some(function) = function {
            each = format!("{each}={function}");
            title = format!("{function} of {name}");
        }
        let folder = self.root.clone().filter(|root| file.starts_with(root));
        let check = Check {
            arguments: vec!["check".to_owned(), file.to_string_lossy().into_owned(), each],
            further: self.options.arguments.clone(),
            option: "--json",
            folder: folder.unwrap_or_else(|| file.parent().unwrap_or(file).to_owned()),
        };
        self.start(file.to_owned(), title, &check);
    }

    fn check_project(&mut self, folder: &Path) {
        let check = Check {
            arguments: vec!["check".to_owned(), folder.to_string_lossy().into_owned()],
            further: self.options.arguments.clone(),
            option: "--report=json",
            folder: folder.to_owned(),
        };
        self.start(folder.to_owned(), "the project".to_owned(), &check);
    }

    /// Starts a check, in place of one of the same.
    fn start(&mut self, what: PathBuf, title: String, check: &Check) {
        self.stop(&what);
        self.started += 1;
        let running = match self.host.start(check, self.started, self.tell.clone()) {
            Ok(running) => running,
            Err(error) => return self.show_error(&error),
        };
        let active = Active {
            number: self.started,
            running,
            folder: check.folder.clone(),
            title,
        };
        if self.shows_progress {
            let id = RequestId::from(active.token());
            let create = json!({ "token": active.token() });
            self.send(Request::new(
                id,
                "window/workDoneProgress/create".to_owned(),
                create,
            ));
        }
        let title = format!("Kripke checks {}", active.title);
        self.progress(
            &active,
            json!({ "kind": "begin", "title": title, "cancellable": true }),
        );
        self.active.insert(what, active);
    }

    fn progress(&self, active: &Active, value: Value) {
        if self.shows_progress {
            self.notify("$/progress", json!({ "token": active.token(), "value": value }));
        }
    }

    fn stop(&mut self, what: &Path) {
        if let Some(mut active) = self.active.remove(what) {
            active.running.stop();
            self.progress(&active, json!({ "kind": "end", "message": "stopped" }));
        }
    }

    fn stop_all(&mut self) {
        let all: Vec<PathBuf> = self.active.keys().cloned().collect();
        for what in all {
            self.stop(&what);
        }
    }

    fn told(&mut self, told: Told) {
        let (Told::Progress(number, _) | Told::Checked(number, _)) = &told;
        // What was stopped may still have told something.
        let found = self.active.iter().find(|(_, active)| active.number == *number);
        let Some((what, active)) = found else { return };
        match told {
            Told::Progress(_, line) => self.progress(active, json!({ "kind": "report", "message": line })),
            Told::Checked(_, outcome) => {
                self.progress(active, json!({ "kind": "end" }));
                let (what, folder) = (what.clone(), active.folder.clone());
                self.active.remove(&what);
                let found = outcome.and_then(|text| read(&text, &folder).map_err(|error| error.to_string()));
                match found {
                    Ok(findings) => {
                        self.known.insert(what, findings);
                        self.publish();
                    }
                    Err(error) => self.show_error(&error),
                }
            }
        }
    }

    /// Shows what is known, and takes away what no longer is.
    fn publish(&mut self) {
        let mut files: BTreeMap<&Path, Vec<(&Findings, &Finding)>> = BTreeMap::new();
        for findings in self.known.values() {
            for finding in &findings.findings {
                files.entry(&finding.file).or_default().push((findings, finding));
            }
        }
        let mut published = BTreeSet::new();
        for (file, findings) in files {
            let text = self.host.read(file);
            let all: Vec<Diagnostic> = findings
                .iter()
                .map(|(of, finding)| diagnostic(finding, text.as_deref(), &of.folder))
                .collect();
            self.publish_file(file, &all);
            published.insert(file.to_owned());
        }
        for file in self.published.difference(&published) {
            self.publish_file(file, &[]);
        }
        self.published = published;
        if self.refreshes_lenses {
            let id = RequestId::from(format!("lenses {}", self.started));
            self.send(Request::new(id, CodeLensRefresh::METHOD.to_owned(), Value::Null));
        }
    }

    fn publish_file(&self, file: &Path, diagnostics: &[Diagnostic]) {
        if let Ok(uri) = Url::from_file_path(file) {
            let params = json!({ "uri": uri, "diagnostics": diagnostics });
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    /// What a finding of the line means.
    fn hover(&self, params: &HoverParams) -> Value {
        let at = &params.text_document_position_params;
        let Ok(file) = at.text_document.uri.to_file_path() else {
            return Value::Null;
        };
        let findings = self.known.values().flat_map(|findings| &findings.findings);
        let mut here = findings.filter(|finding| {
            finding.file == file && finding.place.line == at.position.line.saturating_add(1)
        });
        let Some((finding, explanation)) = here.find_map(|one| Some((one, one.explanation?))) else {
            return Value::Null;
        };
        let text = format!(
            "**{}**: {}\n\n{}",
            finding.kind,
            explanation.title,
            explanation.help_markdown()
        );
        json!({ "contents": { "kind": "markdown", "value": text } })
    }

    /// The verdict above each function; before a check, what can be checked.
    fn lenses(&self, params: &CodeLensParams) -> Value {
        let uri = &params.text_document.uri;
        let Ok(file) = uri.to_file_path() else {
            return json!([]);
        };
        let lens = |line: u32, title: String, command: &str, arguments: Vec<Value>| CodeLens {
            range: Range::new(Position::new(line, 0), Position::new(line, 0)),
            command: Some(Command {
                title,
                command: command.to_owned(),
                arguments: Some(arguments),
            }),
            data: None,
        };
        if file.ends_with("kripke.toml") {
            let title = "Kripke: check the project".to_owned();
            return json!([lens(0, title, "kripke.checkProject", vec![json!(uri)])]);
        }
        let functions = self.known.values().flat_map(|findings| &findings.functions);
        let mut lenses: Vec<CodeLens> = functions
            .filter(|function| function.file == file)
            .map(|function| {
                let title = format!("Kripke: {} {}", function.name, function.verdict);
                let line = function.line.saturating_sub(1);
                lens(
                    line,
                    title,
                    "kripke.checkFunction",
                    vec![json!(uri), json!(function.name)],
                )
            })
            .collect();
        if lenses.is_empty() {
            lenses.push(lens(
                0,
                "Kripke: check this file".to_owned(),
                "kripke.checkFile",
                vec![json!(uri)],
            ));
        }
        json!(lenses)
    }
}

impl Active {
    /// By which an editor knows it.
    fn token(&self) -> String {
        format!("kripke {}", self.number)
    }
}

fn diagnostic(finding: &Finding, text: Option<&str>, folder: &Path) -> Diagnostic {
    let steps = finding.trace.as_ref().map(|trace| steps(trace, folder));
    Diagnostic {
        range: range(text, finding.place.line, finding.place.column),
        severity: Some(match finding.weight {
            Weight::Violated => DiagnosticSeverity::ERROR,
            Weight::Possible => DiagnosticSeverity::WARNING,
            Weight::Open => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(finding.kind.clone())),
        source: Some("kripke".to_owned()),
        message: finding.message.clone(),
        related_information: steps.filter(|steps| !steps.is_empty()),
        ..Diagnostic::default()
    }
}

/// The last steps of a run, a line of the program each; its paths begin at a folder.
fn steps(trace: &Trace, folder: &Path) -> Vec<DiagnosticRelatedInformation> {
    let mut inputs = 0;
    let mut steps = Vec::new();
    for step in &trace.steps {
        inputs += usize::from(matches!(step.kind, StepKind::Input { .. }));
        let message = step_text(step, inputs);
        if step.place.line == 0 || step.place.is_in_library() || message.is_empty() {
            continue;
        }
        if let Ok(uri) = Url::from_file_path(folder.join(&step.place.file)) {
            let range = range(None, step.place.line, step.place.column);
            let location = Location { uri, range };
            steps.push(DiagnosticRelatedInformation { location, message });
        }
    }
    steps.split_off(steps.len().saturating_sub(STEPS))
}
