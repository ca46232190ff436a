//! The table of routes. One entry both serves a route and documents it, using the types of its handler.

use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use axum::{Json, Router};
use fuzzy_checkpoint_service::text::plain;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::body::{Body, OptionalBody};
use super::events::Events;
use super::extract::{Ids, Key, LONGEST, Params};
use crate::app::App;
use crate::rejection::Rejection;

/// Generates the schema of a type.
pub(crate) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// A part of a request.
#[derive(Clone, Copy)]
pub(crate) enum Input {
    /// The ids in the path.
    Ids,
    /// The query, an object whose keys are its parameters.
    Query(Describe),
    /// A header.
    Header { name: &'static str, longest: usize },
    /// A JSON body.
    Body { schema: Describe, required: bool },
}

/// A response with status 200.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) media: &'static str,
    pub(crate) schema: Describe,
}

/// The work of a route; it determines how the route may fail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// It only uses the database.
    Database,
    /// It captures, compares or restores files.
    Files,
}

/// A method of a route.
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Its name in generated clients.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) work: Work,
    pub(crate) inputs: Vec<Input>,
    pub(crate) output: Output,
}

/// The routes with their descriptions.
#[derive(Default)]
pub(crate) struct Routes {
    router: Router<App>,
    operations: Vec<Operation>,
}

impl Routes {
    pub(super) fn get<H, M, A>(self, path: &'static str, work: Work, of: [&'static str; 2], handler: H) -> Self
    where
        H: Handler<M, App> + Documented<A>,
        M: 'static,
    {
        self.on(Method::GET, path, work, of, handler)
    }

    pub(super) fn post<H, M, A>(self, path: &'static str, of: [&'static str; 2], handler: H) -> Self
    where
        H: Handler<M, App> + Documented<A>,
        M: 'static,
    {
        self.on(Method::POST, path, Work::Files, of, handler)
    }

    /// Adds a method of a route, with its name and its summary.
    pub(super) fn on<H, M, A>(
        mut self,
        method: Method,
        path: &'static str,
        work: Work,
        [name, summary]: [&'static str; 2],
        handler: H,
    ) -> Self
    where
        H: Handler<M, App> + Documented<A>,
        M: 'static,
    {
        let (inputs, output) = (H::inputs(), H::output());
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
        let mut route = on(filter, handler);
        if !inputs.iter().any(|input| matches!(input, Input::Query(_))) {
            route = route.route_layer(middleware::from_fn(refuse_query));
        }
        self.router = self.router.route(path, route);
        self.operations.push(Operation { method, path, name, summary, work, inputs, output });
        self
    }

    pub(super) fn into_router(self) -> Router<App> {
        self.router
    }

    pub(crate) fn operations(&self) -> &[Operation] {
        &self.operations
    }
}

/// Refuses a query on a route that reads none: otherwise it would be silently ignored.
async fn refuse_query(request: Request, next: Next) -> Result<Response, Rejection> {
    match request.uri().query().filter(|query| !query.is_empty()) {
        Some(query) => {
            let name = query.split(['=', '&']).next().unwrap_or_default();
            let message = format!("unknown field `{}` in the address", plain(name));
            Err(Rejection::bad_input(message, "See docs/service.md for the parameters."))
        }
        None => Ok(next.run(request).await),
    }
}

/// A handler whose types describe its request and its response.
pub(crate) trait Documented<Arguments> {
    fn inputs() -> Vec<Input>;
    fn output() -> Output;
}

/// A parameter of a handler.
pub(crate) trait Takes {
    const INPUT: Option<Input>;
}

/// The response of a handler.
pub(crate) trait Answers {
    const OUTPUT: Output;
}

impl Takes for State<App> {
    const INPUT: Option<Input> = None;
}

impl<T> Takes for Ids<T> {
    const INPUT: Option<Input> = Some(Input::Ids);
}

impl<T: JsonSchema> Takes for Params<T> {
    const INPUT: Option<Input> = Some(Input::Query(SchemaGenerator::subschema_for::<T>));
}

impl Takes for Key {
    const INPUT: Option<Input> = Some(Input::Header { name: "Idempotency-Key", longest: LONGEST });
}

impl<T: JsonSchema> Takes for Body<T> {
    const INPUT: Option<Input> = Some(Input::Body { schema: SchemaGenerator::subschema_for::<T>, required: true });
}

impl<T: JsonSchema> Takes for OptionalBody<T> {
    const INPUT: Option<Input> = Some(Input::Body { schema: SchemaGenerator::subschema_for::<T>, required: false });
}

impl<T: JsonSchema> Answers for Json<T> {
    const OUTPUT: Output = Output { media: "application/json", schema: SchemaGenerator::subschema_for::<T> };
}

impl Answers for Events {
    const OUTPUT: Output =
        Output { media: "text/event-stream", schema: SchemaGenerator::subschema_for::<super::events::Progress> };
}

macro_rules! documented {
    ($($argument:ident),*) => {
        impl<H, F, T, $($argument),*> Documented<($($argument,)*)> for H
        where
            H: Fn($($argument),*) -> F,
            F: Future<Output = Result<T, Rejection>>,
            T: Answers,
            $($argument: Takes,)*
        {
            fn inputs() -> Vec<Input> {
                [$($argument::INPUT),*].into_iter().flatten().collect()
            }

            fn output() -> Output {
                T::OUTPUT
            }
        }
    };
}

documented!(A);
documented!(A, B);
documented!(A, B, C);
documented!(A, B, C, D);
