//! Trouble: the one shape of every error that the server answers with: a stable code, a message, and where it is about.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Code, CodeKind, Reason, masked};
use crate::past::{LoadError, PointError};
use crate::run::RunError;

/// Why a request was not answered as asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Trouble {
    /// The HTTP status.
    #[serde(skip)]
    #[schema(ignore)]
    status: u16,
    /// A stable word for programs, such as `not-found` or `gate-role`.
    #[schema(value_type = String)]
    code: Code,
    /// The kind of the code, such as `gate` where a role, a place or lineage forbids.
    #[schema(value_type = String)]
    kind: CodeKind,
    /// For people: what was expected, what was found, what to do.
    message: String,
    /// The address, path or key that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// How many seconds to wait before it is worth asking again.
    #[serde(skip)]
    #[schema(ignore)]
    after: Option<u64>,
}

/// An error as it goes over the line.
#[derive(Serialize, ToSchema)]
pub struct Wrong {
    error: Trouble,
}

impl Trouble {
    pub(super) fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        Self { status: status.as_u16(), code, kind: code.kind(), message: masked(&message.into()).into_owned(), place: None, after: None }
    }

    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    /// Its word for programs.
    pub fn code(&self) -> Code {
        self.code
    }

    /// It is worth asking again after so many seconds.
    pub(super) fn after(self, seconds: u64) -> Self {
        Self { after: Some(seconds), ..self }
    }

    pub(super) fn too_many(message: impl Into<String>, after: u64) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, Code::TooMany, message).after(after)
    }

    pub(super) fn too_many_streams() -> Self {
        Self::too_many("too many watch this world now, or you do in too many places; close one", 5)
    }

    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::BadRequest, message)
    }

    pub(super) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, Code::NotFound, format!("there is no `{what}` in this world")).at(what)
    }

    pub(super) fn stopping() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Stopping, "the world is stopping or has stopped; ask again when it runs")
    }

    pub(super) fn bad_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, Code::BadToken, "the token was taken back; make another by `reelm token make`")
    }

    pub(super) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Code::TooLarge, "the body is too large; at most 1 MiB is taken")
    }

    pub(super) fn inside(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Failed, error.to_string())
    }

    /// A read that the worn role, or an address that the world, refuses.
    pub(super) fn refused(reason: &Reason) -> Self {
        let (status, message) = match reason.code {
            Code::NotFound | Code::NoTarget => (StatusCode::NOT_FOUND, format!("there is no `{}` in this world", reason.at)),
            Code::BadAddress => (StatusCode::BAD_REQUEST, format!("`{}` is no address; one looks like /a/b, @ada or /.roles/x", reason.at)),
            code if reason.at.is_empty() => (StatusCode::FORBIDDEN, code.sentence().to_owned()),
            code => (StatusCode::FORBIDDEN, format!("{} (`{}`)", code.sentence(), reason.at)),
        };
        Self::new(status, reason.code, message).at(reason.at.to_string())
    }
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Self {
        let (status, code) = match &error {
            RunError::NoBeing(_) => (StatusCode::NOT_FOUND, Code::NotFound),
            RunError::NotDriven { .. } => (StatusCode::CONFLICT, Code::NotDriven),
            RunError::Driven { .. } => (StatusCode::CONFLICT, Code::Driven),
            RunError::NobodysWorld => (StatusCode::FORBIDDEN, Code::NotYours),
            RunError::Answered { .. } => (StatusCode::CONFLICT, Code::Answered),
            RunError::NotDue { .. } => (StatusCode::CONFLICT, Code::NotDue),
            RunError::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, Code::TooLarge),
            RunError::Unfit { reason } => return Self::new(StatusCode::BAD_REQUEST, reason.code, error.to_string()),
            RunError::Turned { reason } => return Self::refused(reason),
            RunError::TokenLost => (StatusCode::UNAUTHORIZED, Code::BadToken),
            RunError::Nothing | RunError::Planting { .. } => (StatusCode::BAD_REQUEST, Code::BadRequest),
            RunError::Load(_)
            | RunError::Store(_)
            | RunError::Seal(_)
            | RunError::Fold(_)
            | RunError::Round(_)
            | RunError::Measure(_)
            | RunError::Broken(_) => {
                return Self::stopping();
            }
        };
        Self::new(status, code, error.to_string())
    }
}

impl From<LoadError> for Trouble {
    fn from(error: LoadError) -> Self {
        if error.is_too_far() { Self::bad(error.to_string()) } else { Self::inside(error) }
    }
}

impl From<PointError> for Trouble {
    fn from(error: PointError) -> Self {
        match error {
            PointError::Load(error) => error.into(),
            backward @ PointError::Backward { .. } => Self::bad(backward.to_string()).at("from"),
            other => Self::bad(other.to_string()).at("at"),
        }
    }
}

impl From<JsonRejection> for Trouble {
    fn from(rejection: JsonRejection) -> Self {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return Self::too_large();
        }
        Self::bad(format!("the body cannot be read: {}", rejection.body_text()))
    }
}

impl From<BytesRejection> for Trouble {
    fn from(rejection: BytesRejection) -> Self {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE { Self::too_large() } else { Self::bad("the body broke off") }
    }
}

impl From<QueryRejection> for Trouble {
    fn from(rejection: QueryRejection) -> Self {
        Self::bad(format!("the query cannot be read: {}", rejection.body_text()))
    }
}

impl From<PathRejection> for Trouble {
    fn from(rejection: PathRejection) -> Self {
        Self::bad(format!("the path cannot be read: {}", rejection.body_text()))
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let after = self.after.map(|seconds| [(RETRY_AFTER, HeaderValue::from(seconds))]);
        let challenge = (status == StatusCode::UNAUTHORIZED).then_some([(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))]);
        (status, after, challenge, Json(Wrong { error: self })).into_response()
    }
}
