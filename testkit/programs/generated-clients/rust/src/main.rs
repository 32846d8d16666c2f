//! A login by the generated client for Rust, from the session to the subjectId. Prints what it saw as one line of JSON.

use base64::{engine::general_purpose::URL_SAFE_NO_PAD, Engine};
use countersign::apis::sessions_api::{complete_session, create_session, exchange_token, get_session, ExchangeTokenError};
use countersign::apis::{configuration::Configuration, Error};
use countersign::models::{CodeChallengeMethod, CreateSessionRequest, ExchangeTokenRequest, SessionStatus, SignatureType};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::env::var;
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let verifier = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let redirect_uri = var("REDIRECT_URI")?;
    let configuration = Configuration {
        base_path: var("BASE_URL")?,
        basic_auth: Some((var("CLIENT_ID")?, Some(var("CLIENT_SECRET")?))),
        ..Configuration::default()
    };

    let request = CreateSessionRequest {
        redirect_uri: Some(redirect_uri.clone()),
        state: Some(Uuid::new_v4().to_string()),
        code_challenge: Some(URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier))),
        code_challenge_method: Some(CodeChallengeMethod::S256),
        ..CreateSessionRequest::new(SignatureType::Authentication)
    };
    let session_id = create_session(&configuration, request, None).await?.session_id.to_string();
    let before = get_session(&configuration, &session_id, None, None).await?.status;
    scan(&session_id, &redirect_uri).await?;
    let mut status = before;
    while matches!(status, SessionStatus::Pending | SessionStatus::Scanned) {
        status = get_session(&configuration, &session_id, Some("wait=25"), Some(status)).await?.status;
    }
    let redirect = url::Url::parse(&complete_session(&configuration, &session_id).await?.redirect)?;
    let code = redirect.query_pairs().find(|(name, _)| name == "code").ok_or("no code")?.1.to_string();
    let exchange = ExchangeTokenRequest::new(code, verifier);
    let subject_id = exchange_token(&configuration, exchange.clone()).await?.subject_id;
    let refused = match exchange_token(&configuration, exchange).await {
        Err(Error::ResponseError(refusal)) => match refusal.entity {
            Some(ExchangeTokenError::Status400(answer)) => json!(answer.error_code),
            other => return Err(format!("an answer without a type: {other:?}").into()),
        },
        other => return Err(format!("the second exchange was not refused: {other:?}").into()),
    };

    println!("{}", json!({ "before": before, "after": status, "subjectId": subject_id, "refused": refused }));
    Ok(())
}

/// The phone of the sandbox scans the code of the waiting page, and confirms.
async fn scan(session_id: &str, redirect_uri: &str) -> Outcome<()> {
    let scheme = format!("{}://app/scan", var("APP_SCHEME")?);
    let qr = url::Url::parse_with_params(&scheme, [("sessionId", session_id), ("returnUrl", redirect_uri)])?;
    let phone = format!("{}/scan", var("PHONE")?);
    reqwest::Client::new().post(phone).json(&json!({ "qr": qr.as_str() })).send().await?.error_for_status()?;
    Ok(())
}
