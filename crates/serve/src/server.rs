//! What the page can ask for, and what it gets.
//!
//! Invariant: handlers only find what is meant and call who does it; what takes long is done elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use kripke_check::project::ProgramEntry;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::assets::OTHERS;
use crate::connections::{Limited, Peer};
use crate::edit::{Change, Form, Property, save};
use crate::guard::{self, Guard};
use crate::names::{self, Loaded};
use crate::project::{Opened, program};
use crate::refused::Refused;
use crate::runs::{Runs, Wanted, milliseconds};
use crate::simulate::Sessions;
use crate::views::View;
use crate::{events, formula};

/// Bodies of requests are formulas and options.
const LARGEST_BODY: usize = 256 << 10;

type Shared = State<Arc<Server>>;
type Answer = Result<Json<Value>, Refused>;

/// All that there is.
pub struct Server {
    binary: PathBuf,
    opened: Arc<Opened>,
    runs: Arc<Runs>,
    loaded: Loaded,
    sessions: Sessions,
    /// One change of the project file at a time.
    saving: std::sync::Mutex<()>,
}

impl Server {
    pub fn new(binary: PathBuf, opened: Arc<Opened>, runs: Arc<Runs>) -> Self {
        Self {
            binary,
            opened,
            runs,
            loaded: Loaded::default(),
            sessions: Sessions::default(),
            saving: std::sync::Mutex::default(),
        }
    }

    /// Ends what runs.
    pub async fn end(&self) {
        self.runs.end_all().await;
    }
}

/// Answers requests.
pub async fn serve(listener: TcpListener, server: Arc<Server>, guard: Arc<Guard>) -> std::io::Result<()> {
    let api = Router::new()
        .route("/project", get(describe))
        .route("/source", get(source))
        .route("/names", get(names_of))
        .route("/disassembly", get(disassembly))
        .route("/graph", get(graph))
        .route("/stack", get(stack))
        .route("/formula", post(examine))
        .route("/properties", post(add).put(replace).delete(remove))
        .route("/events", get(told))
        .route("/runs", post(start))
        .route("/runs/{id}/stop", post(stop))
        .route("/runs/{id}/trace/{number}", get(trace))
        .route("/runs/{id}/export/{format}", get(export))
        .route("/simulations", post(simulate))
        .route("/simulations/{id}", post(command))
        .fallback(|| async { Refused::missing("there is nothing here") })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(server);
    let mut page = Router::new().route("/", get(guard::index));
    for asset in OTHERS {
        let answer = || async { ([(header::CONTENT_TYPE, asset.content_type)], asset.bytes) };
        page = page.route(asset.path, get(answer));
    }
    let all = page
        .with_state(Arc::clone(&guard))
        .nest("/api", api)
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .layer(middleware::from_fn_with_state(guard, guard::look));
    let all = all.into_make_service_with_connect_info::<Peer>();
    axum::serve(Limited::new(listener), all).await
}

#[derive(Deserialize)]
struct OfProgram {
    program: String,
    #[serde(default)]
    what: String,
    watch: Option<String>,
}

#[derive(Deserialize)]
struct OfFile {
    path: String,
}

async fn describe(State(server): Shared) -> Answer {
    Ok(Json(server.opened.describe()?))
}

async fn source(State(server): Shared, Query(of): Query<OfFile>) -> Answer {
    let path = server.opened.inside(&of.path)?;
    let unreadable = |error: std::io::Error| Refused::missing(format!("cannot be read: {}", error.kind()));
    let modified = tokio::fs::metadata(&path).await.and_then(|data| data.modified());
    let modified = milliseconds(modified.map_err(unreadable)?);
    let bytes = tokio::fs::read(path).await.map_err(unreadable)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(Json(
        json!({ "path": of.path, "text": text, "modified": modified }),
    ))
}

/// Work that may take a while, with the program that a request names.
async fn with_program<R: Send + 'static>(
    server: Arc<Server>,
    name: String,
    work: impl FnOnce(&Server, &ProgramEntry) -> Result<R, Refused> + Send + 'static,
) -> Result<R, Refused> {
    let done = tokio::task::spawn_blocking(move || {
        let project = server.opened.project()?;
        work(&server, program(&project, &name)?)
    });
    done.await
        .unwrap_or_else(|_| Err(Refused::failed("this failed by a defect of Kripke")))
}

async fn names_of(State(server): Shared, Query(of): Query<OfProgram>) -> Answer {
    let names = with_program(server, of.program, |server, program| {
        let firmware = server.loaded.firmware(&server.opened, program)?;
        Ok(names::describe(&server.opened, program, firmware.as_deref()))
    });
    names.await.map(Json)
}

async fn disassembly(State(server): Shared, Query(of): Query<OfProgram>) -> Answer {
    let project = server.opened.project()?;
    let program = program(&project, &of.program)?;
    view(&server, program).disassembly().await.map(Json)
}

async fn graph(State(server): Shared, Query(of): Query<OfProgram>) -> Result<String, Refused> {
    let project = server.opened.project()?;
    let program = program(&project, &of.program)?;
    view(&server, program).graph(&of.what, of.watch.as_deref()).await
}

async fn stack(State(server): Shared, Query(of): Query<OfProgram>) -> Answer {
    let project = server.opened.project()?;
    let program = program(&project, &of.program)?;
    view(&server, program).stack().await.map(Json)
}

fn view<'a>(server: &'a Server, program: &'a ProgramEntry) -> View<'a> {
    View {
        binary: &server.binary,
        opened: &server.opened,
        program,
    }
}

#[derive(Deserialize)]
struct Typed {
    program: String,
    form: Form,
    text: String,
}

async fn examine(State(server): Shared, Json(typed): Json<Typed>) -> Answer {
    let answer = with_program(server, typed.program, move |server, program| {
        // A firmware that is not built yet is no reason to say nothing.
        let firmware = server.loaded.firmware(&server.opened, program).ok().flatten();
        Ok(formula::examine(typed.form, &typed.text, firmware.as_deref()))
    });
    answer.await.map(Json)
}

#[derive(Deserialize)]
struct Saved {
    program: String,
    /// Of the project file, as the page has seen it.
    hash: String,
    /// The property that is replaced or removed.
    name: Option<String>,
    property: Option<Property>,
}

fn saved(server: &Server, saved: &Saved, change: &Change) -> Answer {
    let _one = server.saving.lock();
    let hash = save(&server.opened, &saved.hash, &saved.program, change)?;
    Ok(Json(json!({ "hash": hash })))
}

async fn add(State(server): Shared, Json(wanted): Json<Saved>) -> Answer {
    let property = wanted
        .property
        .as_ref()
        .ok_or_else(|| Refused::bad("no property is given"))?;
    saved(&server, &wanted, &Change::Add(property))
}

async fn replace(State(server): Shared, Json(wanted): Json<Saved>) -> Answer {
    let (Some(name), Some(property)) = (&wanted.name, &wanted.property) else {
        return Err(Refused::bad("no property is given"));
    };
    saved(&server, &wanted, &Change::Replace(name, property))
}

async fn remove(State(server): Shared, Json(wanted): Json<Saved>) -> Answer {
    let name = wanted
        .name
        .as_ref()
        .ok_or_else(|| Refused::bad("no property is named"))?;
    saved(&server, &wanted, &Change::Remove(name))
}

async fn told(State(server): Shared) -> impl IntoResponse {
    events::events(Arc::clone(&server.runs))
}

async fn start(State(server): Shared, Json(wanted): Json<Wanted>) -> Answer {
    Ok(Json(json!({ "id": server.runs.start(wanted)? })))
}

async fn stop(State(server): Shared, Path(id): Path<u64>) -> Answer {
    server.runs.stop(id)?;
    Ok(Json(json!({})))
}

async fn trace(State(server): Shared, Path((id, number)): Path<(u64, u32)>) -> Result<Response, Refused> {
    let bytes = server.runs.file(id, &format!("trace-{number}.json")).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response())
}

async fn export(State(server): Shared, Path((id, format)): Path<(u64, String)>) -> Result<Response, Refused> {
    let (file, content_type) = match format.as_str() {
        "json" => ("report.json", "application/json"),
        "sarif" => ("report.sarif", "application/json"),
        "html" => ("report.html", "text/html; charset=utf-8"),
        "vcd" => ("wave.vcd", "text/plain; charset=utf-8"),
        "harness" => ("harness.c", "text/plain; charset=utf-8"),
        _ => return Err(Refused::missing("there is no such format")),
    };
    let bytes = match format.as_str() {
        "harness" => server.runs.harness(id).await?,
        _ => server.runs.file(id, file).await?,
    };
    let mut response = ([(header::CONTENT_TYPE, content_type)], bytes).into_response();
    let name = format!("attachment; filename=\"run-{id}-{file}\"");
    if let Ok(name) = HeaderValue::from_str(&name) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

async fn simulate(State(server): Shared, Json(of): Json<OfProgram>) -> Answer {
    let project = server.opened.project()?;
    let program = program(&project, &of.program)?;
    let words = view(&server, program).simulated();
    let directory = server.opened.root.clone();
    let id = server
        .sessions
        .start(server.binary.clone(), words, directory)
        .await?;
    Ok(Json(json!({ "id": id })))
}

#[derive(Deserialize)]
struct Commands {
    commands: Vec<String>,
}

async fn command(State(server): Shared, Path(id): Path<u64>, Json(wanted): Json<Commands>) -> Answer {
    let answers = server.sessions.ask(id, &wanted.commands).await?;
    Ok(Json(json!({ "answers": answers })))
}
