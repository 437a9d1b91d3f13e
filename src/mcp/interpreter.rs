//! Interpreter: the protocol's words on one side, the world's on the other; it holds nothing but who calls.

use std::borrow::Cow;

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, DiscoverResult, Extensions, Implementation,
    InitializeRequestParams, InitializeResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::fact::Hash;

use super::calls::call;
use super::desk::ADDRESSES_MAX;
use super::guest::Guest;
use super::news::{listened, relay};
use super::places::{self, address_of};
use super::tools::tools;
use super::way::{ApiWay, KEY};

/// The client's own name for a call, under which it is done once.
const META_KEY: &str = "reelm/key";

/// Speaks the protocol: for the one guest that it is given, or for whoever a request says.
#[derive(Clone, Default)]
pub(super) struct Interpreter {
    pub(super) own: Option<Guest>,
}

impl Interpreter {
    /// The caller.
    fn guest(&self, extensions: &Extensions) -> Result<Guest, ErrorData> {
        let came = extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Guest>()).or(self.own.as_ref());
        came.cloned().ok_or_else(|| ErrorData::internal_error("the request came without saying whose it is", None))
    }
}

/// The key under which a call is done once: the client's own, else the request's id within its connection.
fn key_of(guest: &Guest, context: &RequestContext<RoleServer>) -> Option<String> {
    let said = context.meta.get(META_KEY).and_then(|key| key.as_str()).map(str::to_owned);
    let header = || match &guest.way {
        ApiWay::Inside { parts, .. } => parts.headers.get(KEY).and_then(|key| key.to_str().ok()).map(str::to_owned),
        ApiWay::Socket { .. } => None,
    };
    let numbered = || {
        let scope = guest.desk.as_ref()?.scope.get()?;
        Some(format!("mcp:{}", Hash::of(format!("{scope} {:?}", context.id).as_bytes())))
    };
    said.or_else(header).or_else(numbered)
}

impl ServerHandler for Interpreter {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_completions();
        let capabilities = tools.enable_resources().enable_resources_subscribe().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("reelm", env!("CARGO_PKG_VERSION")))
    }

    async fn initialize(&self, asked: InitializeRequestParams, context: RequestContext<RoleServer>) -> Result<InitializeResult, ErrorData> {
        let guest = self.guest(&context.extensions)?;
        if let Some(desk) = &guest.desk {
            let _ = desk.peer.set(context.peer.clone());
        }
        let mut told = self.negotiate_initialize(&asked)?;
        context.peer.set_peer_info(asked);
        told.instructions = Some(guest.welcome().await?);
        Ok(told)
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut info = self.get_info();
        info.instructions = Some(self.guest(&context.extensions)?.welcome().await?);
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {
        // Over HTTP a client hears news on the stream that it opens for them.
        let Some(guest) = self.own.clone() else { return };
        let Some(desk) = guest.desk.clone() else { return };
        if let Ok(events) = guest.follow(&[]).await {
            tokio::spawn(relay(guest, desk, events));
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let guest = self.guest(&context.extensions)?;
        let may = guest.may().await?;
        if let Some(desk) = &guest.desk {
            desk.told_tools(&may.hash);
        }
        Ok(ListToolsResult::with_all_items(tools(&may)))
    }

    async fn call_tool(&self, asked: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let guest = self.guest(&context.extensions)?;
        let key = key_of(&guest, &context);
        call(&guest, asked, key.as_deref()).await.map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let may = self.guest(&context.extensions)?.may().await?;
        Ok(ListResourcesResult::with_all_items(places::resources(&may)))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(places::templates()))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        places::read(&self.guest(&context.extensions)?, &asked.uri).await.map(Into::into)
    }

    async fn complete(&self, asked: CompleteRequestParams, context: RequestContext<RoleServer>) -> Result<CompleteResult, ErrorData> {
        places::completed(&self.guest(&context.extensions)?, &asked).await.map(CompleteResult::new)
    }

    async fn subscribe(&self, asked: SubscribeRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let guest = self.guest(&context.extensions)?;
        // An address that cannot be read cannot be subscribed to either.
        places::read(&guest, &asked.uri).await?;
        let address = address_of(&asked.uri)?;
        let has_room = guest.desk.as_ref().is_some_and(|desk| desk.eye(address));
        let full = || ErrorData::invalid_params(format!("at most {ADDRESSES_MAX} addresses are subscribed to; give one back first"), None);
        has_room.then_some(()).ok_or_else(full)
    }

    async fn unsubscribe(&self, asked: UnsubscribeRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let address = address_of(&asked.uri)?;
        if let Some(desk) = &self.guest(&context.extensions)?.desk {
            desk.leave(&address);
        }
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| address_of(uri).is_ok());
            uris.truncate(ADDRESSES_MAX);
        }
        Some(accepted)
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let guest = self.guest(&subscription.request_context().extensions)?;
        listened(&guest, &subscription).await
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }
}
