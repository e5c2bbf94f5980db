//! Files as the vectors describe them.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// A text: a string, or the pieces of a long one.
pub(super) fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Object(object) => {
            let parts = object.get("parts").and_then(Value::as_array);
            parts.ok_or("no parts")?.iter().map(part).collect()
        }
        other => Err(format!("no text: {other}")),
    }
}

fn part(part: &Value) -> Result<String, String> {
    let number = |name: &str| part[name].as_u64().ok_or(format!("no {name}: {part}"));
    if let Some(text) = part.as_str() {
        return Ok(text.to_owned());
    }
    if let Some(text) = part["repeat"].as_str() {
        let times = usize::try_from(number("times")?).map_err(|error| error.to_string())?;
        return Ok(text.repeat(times));
    }
    let template = part["numbered"]
        .as_str()
        .ok_or(format!("no part: {part}"))?;
    let numbers = number("from")?..=number("to")?;
    Ok(numbers
        .map(|number| template.replace("{n}", &number.to_string()))
        .collect())
}

/// The bytes of a regular file.
pub(super) fn bytes(value: &Value) -> Result<Vec<u8>, String> {
    let object = match value {
        Value::Object(object) => object,
        other => return text(other).map(String::into_bytes),
    };
    if let Some(encoded) = object.get("base64").and_then(Value::as_str) {
        return STANDARD.decode(encoded).map_err(|error| error.to_string());
    }
    match object.get("text") {
        Some(inner) => text(inner).map(String::into_bytes),
        None => text(value).map(String::into_bytes),
    }
}

/// Makes files in an order in which targets of hard links are there first.
pub(super) fn make(files: &Map<String, Value>, root: &Path) -> Result<(), String> {
    let is_link = |value: &Value| value.get("hardlink").is_some();
    for links in [false, true] {
        for (path, value) in files.iter().filter(|(_, value)| is_link(value) == links) {
            make_one(&root.join(path), value, root).map_err(|error| format!("{path}: {error}"))?;
        }
    }
    Ok(())
}

fn make_one(path: &Path, value: &Value, root: &Path) -> Result<(), String> {
    let io = |result: std::io::Result<()>| result.map_err(|error| error.to_string());
    if let Some(parent) = path.parent() {
        io(fs::create_dir_all(parent))?;
    }
    if let Some(target) = value["symlink"].as_str() {
        return io(symlink(target, path));
    }
    if value["dir"] == true {
        return io(fs::create_dir_all(path));
    }
    if value["fifo"] == true {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let mode = Mode::RUSR | Mode::WUSR;
        return io(mknodat(CWD, path, FileType::Fifo, mode, 0).map_err(Into::into));
    }
    if let Some(target) = value["hardlink"].as_str() {
        return io(fs::hard_link(root.join(target), path));
    }
    io(fs::write(path, bytes(value)?))?;
    if let Some(mode) = value["mode"].as_str() {
        let mode = u32::from_str_radix(mode, 8).map_err(|error| error.to_string())?;
        io(fs::set_permissions(path, fs::Permissions::from_mode(mode)))?;
    }
    if let Some(seconds) = value["mtime"].as_u64() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let file = fs::File::options().append(true).open(path);
        io(file.and_then(|file| file.set_modified(time)))?;
    }
    Ok(())
}

/// What of a path is not as described; none when all is.
pub(super) fn difference(
    path: &Path,
    value: &Value,
    root: &Path,
    fold: impl Fn(Vec<u8>) -> Vec<u8>,
) -> Result<Option<String>, String> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(Some("is not there".to_owned()));
    };
    if let Some(target) = value["symlink"].as_str() {
        let found = fs::read_link(path).ok();
        return Ok(
            (found.as_deref() != Some(Path::new(target))).then(|| format!("links to {found:?}"))
        );
    }
    if value["dir"] == true {
        return Ok((!metadata.is_dir()).then(|| "is no folder".to_owned()));
    }
    if value["fifo"] == true {
        return Ok((metadata.is_file() || metadata.is_dir()).then(|| "is no pipe".to_owned()));
    }
    if let Some(other) = value["hardlink"].as_str() {
        let other = fs::metadata(root.join(other)).map_err(|error| error.to_string())?;
        return Ok((other.ino() != metadata.ino()).then(|| "is another file".to_owned()));
    }
    if !metadata.is_file() {
        return Ok(Some("is no file".to_owned()));
    }
    if let Some(mode) = value["mode"].as_str() {
        let found = format!("{:o}", metadata.permissions().mode() & 0o777);
        if found != mode {
            return Ok(Some(format!("has mode {found}")));
        }
    }
    let found = fold(fs::read(path).map_err(|error| error.to_string())?);
    let same = found == fold(bytes(value)?);
    Ok((!same).then(|| {
        let shown: String = String::from_utf8_lossy(&found).chars().take(300).collect();
        format!("holds {shown:?}")
    }))
}
