//! `mcp login` and `logout`: signing in to a server at an address, with a browser that the test plays, and
//! without a person.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

/// A server that wants a sign-in, and its authorization server.
struct Far {
    address: String,
    /// What the person at the browser has allowed.
    granted: Arc<Mutex<String>>,
}

struct Request {
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    body: String,
}

type Reply = (u16, Vec<(&'static str, String)>, Value);

impl Far {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let granted: Arc<Mutex<String>> = Arc::default();
        let (here, allowed) = (format!("http://{address}"), Arc::clone(&granted));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (here, allowed) = (here.clone(), Arc::clone(&allowed));
                thread::spawn(move || talk(stream.unwrap(), &here, &allowed));
            }
        });
        Self { address, granted }
    }
}

/// Answers the requests of one connection, until it ends.
fn talk(stream: TcpStream, here: &str, granted: &Mutex<String>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let request = received(&mut stream)?;
        let (status, headers, body) = answer(&request, here, granted);
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let mut head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
        head.push_str("Content-Type: application/json\r\n");
        for (name, value) in headers {
            head.extend([name, ": ", &value, "\r\n"]);
        }
        let text = format!("{head}\r\n{body}");
        stream.get_mut().write_all(text.as_bytes()).ok()?;
    }
}

fn received(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        stream.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |it| it.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Request {
        method,
        path,
        headers,
        body: String::from_utf8(body).unwrap(),
    })
}

fn answer(request: &Request, here: &str, granted: &Mutex<String>) -> Reply {
    let ok = |body: Value| (200, Vec::new(), body);
    match &*request.path {
        "/.well-known/oauth-protected-resource/mcp" => {
            return ok(
                json!({"resource": format!("{here}/mcp"), "authorization_servers": [here],
                "scopes_supported": ["read"]}),
            );
        }
        "/.well-known/oauth-authorization-server" => {
            return ok(
                json!({"issuer": here, "authorization_endpoint": format!("{here}/authorize"),
                "token_endpoint": format!("{here}/token"), "registration_endpoint": format!("{here}/register"),
                "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}),
            );
        }
        "/register" => {
            let asked: Value = serde_json::from_str(&request.body).unwrap();
            return ok(json!({"client_id": "given", "redirect_uris": asked["redirect_uris"]}));
        }
        "/token" => {
            if request.body.contains("grant_type=client_credentials") {
                assert!(
                    request.body.contains("client_secret=hush"),
                    "{}",
                    request.body
                );
                "program".clone_into(&mut granted.lock().unwrap());
            }
            let scope = granted.lock().unwrap().clone();
            return ok(
                json!({"access_token": format!("for {scope}").replace(' ', "-"), "token_type": "Bearer",
                "expires_in": 3_600, "refresh_token": "again", "scope": scope}),
            );
        }
        "/mcp" => {}
        _ => return (404, Vec::new(), Value::Null),
    }
    let scope = granted.lock().unwrap().clone();
    let good = format!("Bearer for-{}", scope.replace(' ', "-"));
    let place = format!("{here}/.well-known/oauth-protected-resource/mcp");
    let refused = |status: u16, why: &str| {
        let text = format!("Bearer {why}, resource_metadata=\"{place}\"");
        (status, vec![("WWW-Authenticate", text)], Value::Null)
    };
    if scope.is_empty() || request.headers.get("authorization") != Some(&good) {
        return refused(401, "error=\"invalid_token\"");
    }
    if request.method != "POST" {
        return (405, Vec::new(), Value::Null);
    }
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let result = match body["method"].as_str().unwrap() {
        "initialize" => {
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "far", "version": "1"}})
        }
        "tools/list" => json!({"tools": [{"name": "put", "inputSchema": {"type": "object"}}]}),
        "tools/call" if !scope.contains("files:write") => {
            return refused(
                403,
                "error=\"insufficient_scope\", scope=\"files:write files:list\"",
            );
        }
        "tools/call" => json!({"content": [{"type": "text", "text": "put"}]}),
        _ => return (202, Vec::new(), Value::Null),
    };
    ok(json!({"jsonrpc": "2.0", "id": body["id"], "result": result}))
}

/// A part of an address as it was before it was escaped.
fn unescaped(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).unwrap()
}

/// Opens the page that a sign-in names, allows what it asks for, and goes back to where it came from.
fn browse(far: &Far, page: &str) {
    let (_, query) = page.split_once('?').unwrap();
    let asked: BTreeMap<&str, String> = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap())
        .map(|(name, value)| (name, unescaped(value)))
        .collect();
    asked["scope"].clone_into(&mut far.granted.lock().unwrap());
    let back = asked["redirect_uri"].strip_prefix("http://").unwrap();
    let (host, path) = back.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "GET /{path}?code=c&state={} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        asked["state"]
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
}

/// Signs in, with a browser, and tells what was asked for.
fn logged_in(folder: &Folder, far: &Far, more: &[&str]) -> (Ran, String) {
    let words = ["mcp", "login", "far", "--config", "hermes.toml"];
    let mut command = folder.command(&[&words, more].concat());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    let page = line.strip_prefix("note: open this page in a browser: ");
    browse(far, page.unwrap_or_else(|| panic!("{line}")).trim_end());
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    let mut ran = Ran::from(child.wait_with_output().unwrap());
    ran.stderr = rest;
    let asked = far.granted.lock().unwrap().clone();
    (ran, asked)
}

fn folder_of(far: &Far) -> Folder {
    let folder = Folder::new();
    let text = format!(
        "[mcp.servers.far]\nurl = \"http://{}/mcp\"\ntrusted = true\nstart_timeout = 300\n",
        far.address
    );
    std::fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
    folder
}

#[test]
fn a_person_signs_in_with_a_browser_asks_for_more_and_signs_out() {
    let far = Far::new();
    let folder = folder_of(&far);
    let with = |words: &[&str]| folder.run(&[words, &["--config", "hermes.toml"]].concat());
    let closed = with(&["mcp", "list"]);
    assert_eq!(closed.code, 1, "{closed:?}");
    assert_eq!(
        closed.stdout,
        "far\tsign-in: `hermes mcp login` signs you in\t0\n"
    );

    let (ran, asked) = logged_in(&folder, &far, &[]);
    assert_eq!((ran.code, &*ran.stderr), (0, "note: signed in to `far`\n"));
    assert_eq!(asked, "read");
    assert_eq!(with(&["mcp", "list"]), Ran::wrote("far\tready\t1\n"));

    // It is not enough for a call, whose error says what would be.
    let call = ["call", "mcp__far__put", "--yes"];
    let refused = with(&call);
    assert_eq!(refused.code, 1, "{refused:?}");
    let line = "hermes mcp login far --scope files:write --scope files:list";
    assert!(refused.stderr.contains(line), "{refused:?}");
    assert!(
        refused.stderr.contains("the sign-in does not allow this"),
        "{refused:?}"
    );
    let more = ["--scope", "files:write", "--scope", "files:list"];
    let (ran, asked) = logged_in(&folder, &far, &more);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(asked, "files:write files:list read");
    let put = with(&call);
    assert_eq!((put.code, &*put.stdout), (0, "put\n"), "{put:?}");

    assert_eq!(with(&["mcp", "logout", "far"]), Ran::wrote(""));
    assert_eq!(with(&["mcp", "list"]), closed);
    let again = with(&["mcp", "logout", "far"]);
    assert_eq!(
        (again.code, &*again.stderr),
        (0, "note: nobody was signed in to `far`\n")
    );
}

#[test]
fn a_program_signs_in_without_a_person() {
    let far = Far::new();
    let folder = folder_of(&far);
    let words = [
        "mcp",
        "login",
        "far",
        "--config",
        "hermes.toml",
        "--client-id",
        "me",
        "--client-credentials",
    ];
    let nameless = folder.run(&words);
    assert_eq!(nameless.code, 2, "{nameless:?}");
    assert!(
        nameless.stderr.contains("--client-secret-env"),
        "{nameless:?}"
    );
    let mut command = folder.command(&[&words[..], &["--client-secret-env", "SECRET"]].concat());
    let ran = Ran::from(command.env("SECRET", "hush").output().unwrap());
    assert_eq!((ran.code, &*ran.stderr), (0, "note: signed in to `far`\n"));
    let listed = folder.run(&["mcp", "list", "--config", "hermes.toml"]);
    assert_eq!(listed, Ran::wrote("far\tready\t1\n"));
}
