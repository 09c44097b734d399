//! One tool, served by the Rust SDK: `adder stdio`, or `adder PORT`.

use std::sync::Arc;

use rmcp::{
    Json, ServerHandler, ServiceExt,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    schemars::JsonSchema,
    tool, tool_handler, tool_router,
    transport::{
        stdio,
        streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager},
    },
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Numbers {
    a: i32,
    b: i32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Sum {
    sum: i64,
}

#[derive(Clone)]
struct Adder {
    tool_router: ToolRouter<Self>,
}

#[tool_router(router = tool_router)]
impl Adder {
    fn new() -> Self {
        Self { tool_router: Self::tool_router() }
    }

    #[tool(description = "Adds two numbers.", annotations(read_only_hint = true))]
    async fn add(&self, Parameters(Numbers { a, b }): Parameters<Numbers>) -> Result<Json<Sum>, String> {
        Ok(Json(Sum { sum: i64::from(a) + i64::from(b) }))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Adder {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("stdio") => {
            Adder::new().serve(stdio()).await?.waiting().await?;
        }
        Some(port) => {
            let service = StreamableHttpService::new(
                || Ok(Adder::new()),
                Arc::new(LocalSessionManager::default()),
                StreamableHttpServerConfig::default(),
            );
            let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
            axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
        }
        None => return Err("usage: adder stdio | adder PORT".into()),
    }
    Ok(())
}
