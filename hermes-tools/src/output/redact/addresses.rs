//! Passwords and credentials in addresses.

#[cfg(feature = "host")]
use std::borrow::Cow;

use super::names::is_secret_name;
use super::{MASK, Marks};

/// Schemes of databases and queues, whose passwords nobody needs to see.
const DATABASES: [&str; 18] = [
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "sqlserver",
    "oracle",
    "clickhouse",
    "cockroachdb",
    "couchdb",
    "neo4j",
    "memcached",
    "nats",
];

/// Names of parameters that carry credentials, beside those whose name says so.
const PARAMETERS: [&str; 10] = [
    "awsaccesskeyid",
    "session_id",
    "sessionid",
    "signature",
    "sig",
    "x_amz_signature",
    "x_amz_credential",
    "x_amz_security_token",
    "code_verifier",
    "id_token",
];

/// Marks passwords in addresses. `all` marks placeholders too, `strict` what signs people in on the web.
pub(super) fn find(text: &str, all: bool, strict: bool, marks: &mut Marks) {
    let mut at = 0;
    while let Some(found) = text[at..].find("://") {
        let colon = at + found;
        let start = colon + 3;
        let bytes = text.as_bytes();
        let scheme_length = bytes[..colon]
            .iter()
            .rev()
            .take(30)
            .take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
            .count();
        let scheme = text[colon - scheme_length..colon].to_ascii_lowercase();
        let end = start
            + text[start..]
                .find(|c: char| c.is_whitespace() || "\"'`<>".contains(c))
                .unwrap_or(text.len() - start);
        let whole = &text[start..end];
        let authority = &whole[..whole.find(['/', '?', '#']).unwrap_or(whole.len())];
        let database = DATABASES.contains(&scheme.split('+').next().unwrap_or(""));
        // A password may itself hold `/`, `?` or `@`; then the last `@` counts.
        let user = if database && !authority.contains('@') {
            whole.rfind('@').map(|end| &whole[..end])
        } else {
            authority.rfind('@').map(|end| &authority[..end])
        };
        if let Some(user) = user {
            mark_user(text, start, user, (database, all, strict), marks);
        }
        if strict && matches!(scheme.as_str(), "http" | "https" | "ws" | "wss" | "ftp") {
            parameters(start, whole, marks);
        }
        at = end.max(start);
    }
}

fn mark_user(
    text: &str,
    start: usize,
    user: &str,
    (database, all, strict): (bool, bool, bool),
    marks: &mut Marks,
) {
    match user.find(':') {
        Some(colon) => {
            let password = &user[colon + 1..];
            let placeholder =
                password.starts_with('{') && password.ends_with('}') || password.starts_with('$');
            let masked = password == MASK;
            if (database || strict)
                && !password.is_empty()
                && !masked
                && (all && !password.starts_with('$') || !placeholder)
            {
                marks.add(start + colon + 1, start + user.len(), MASK.to_owned());
            }
        }
        None if is_token(user) => marks.mask(text, start, start + user.len()),
        None => {}
    }
}

/// Whether what stands alone before `@` is a key and no name.
fn is_token(user: &str) -> bool {
    let has = |kind: fn(&char) -> bool| user.chars().any(|c| kind(&c));
    user.len() >= 16
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && !user.contains('.')
}

/// Marks the values of credentials in the query and the fragment of an address.
fn parameters(start: usize, whole: &str, marks: &mut Marks) {
    let Some(query) = whole.find(['?', '#']) else {
        return;
    };
    let mut at = query + 1;
    for part in whole[query + 1..].split(['&', ';', '#', '?']) {
        if let Some(equals) = part.find('=')
            && is_credential(&part[..equals])
        {
            marks.add(
                start + at + equals + 1,
                start + at + part.len(),
                MASK.to_owned(),
            );
        }
        at += part.len() + 1;
    }
}

/// Whether a parameter carries credentials, its name decoded up to three times.
pub(super) fn is_credential(name: &str) -> bool {
    let mut name = name.to_owned();
    for _ in 0..3 {
        let decoded = decode(&name);
        if decoded == name {
            break;
        }
        name = decoded;
    }
    let folded = name.to_ascii_lowercase().replace('-', "_");
    PARAMETERS.contains(&folded.as_str()) || is_secret_name(&name) || is_secret_name(&folded)
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let code = others
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &others[2..];
            }
            _ => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An address as it is shown in a message: without passwords and credentials.
#[cfg(feature = "host")]
pub(crate) fn address(text: &str) -> Cow<'_, str> {
    let mut marks = Marks::default();
    find(text, true, true, &mut marks);
    marks.apply(text)
}
