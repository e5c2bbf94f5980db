//! A server in Python: the official one that tells the time, in an environment of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use hermes_mcp::ServerSpec;

use crate::npm::asked;
use crate::servers::{started, text};

fn installed(folder: &Path) -> Result<(), String> {
    asked()?;
    let run = |program: &Path, words: &[&str]| {
        let ran = Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        if ran.status.success() {
            return Ok(());
        }
        let why = String::from_utf8_lossy(&ran.stderr);
        Err(format!("nothing is installed here: {}", why.trim()))
    };
    let place = folder.to_str().ok_or("the folder has no name")?;
    run(Path::new("python3"), &["-m", "venv", place])?;
    let pip = folder.join("bin/pip");
    run(&pip, &["install", "--quiet", "mcp-server-time"])
}

#[tokio::test]
async fn a_server_in_python_tells_the_time() {
    let folder = tempfile::tempdir().unwrap();
    if let Err(why) = installed(folder.path()) {
        eprintln!("skipped: {why}");
        return;
    }
    let python = folder.path().join("bin/python");
    let spec = ServerSpec::new("time", python.to_str().unwrap()).unwrap();
    let spec = spec.args(["-m", "mcp_server_time", "--local-timezone", "UTC"]);
    let (servers, session) = started(spec, "/").await;
    let converted = text(
        &session,
        "mcp__time__convert_time",
        r#"{"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}"#,
    )
    .await;
    assert!(converted.contains("21:00"), "{converted}");
    drop(session);
    servers.stop().await;
}
