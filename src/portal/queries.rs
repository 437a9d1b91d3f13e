//! Queries: a query may only have the names in its route's description; another is refused before any work is done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::{MatchedPath, Query, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{OpenApi, PathItem, RefOr};

use crate::role::or_meant;

use super::trouble::Trouble;

/// The names that a query of each route may have, as its description says.
pub(super) struct QueryNames(BTreeMap<String, BTreeSet<String>>);

impl QueryNames {
    pub(super) fn of(api: &OpenApi) -> Self {
        let named = |operation: &Operation| {
            let all = operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
                RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter.name.clone()),
                RefOr::T(_) | RefOr::Ref(_) => None,
            });
            all.collect::<Vec<_>>()
        };
        // A service may add to the address of a webhook what it likes.
        let is_ours = |path: &str| !path.starts_with("/in/");
        let of_item = |item: &PathItem| [&item.get, &item.post, &item.put, &item.delete].into_iter().flatten().flat_map(named).collect();
        Self(api.paths.paths.iter().filter(|(path, _)| is_ours(path)).map(|(path, item)| (path.clone(), of_item(item))).collect())
    }
}

/// A name in a query that nothing reads is a mistake, and no request without it.
pub(super) async fn asks_what_is_known(State(names): State<Arc<QueryNames>>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().and_then(|path| names.0.get(path.as_str()));
    let asked = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
    if let (Some(known), Ok(Query(asked))) = (path, asked)
        && let Some((strange, _)) = asked.iter().find(|(name, _)| name != "as" && !known.contains(name))
    {
        let meant = or_meant("", strange, known.iter().map(String::as_str));
        let all =
            if known.is_empty() { "nothing".to_owned() } else { format!("`{}`", known.iter().cloned().collect::<Vec<_>>().join("`, `")) };
        return Trouble::bad(format!("expected only {all} in the query, found `{strange}`{meant}")).at(strange.clone()).into_response();
    }
    next.run(request).await
}
