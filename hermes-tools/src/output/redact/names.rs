//! Names that say that a value is secret.

/// Words that make a name one of a secret.
const SECRET: [&str; 24] = [
    "token",
    "secret",
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "credential",
    "credentials",
    "apikey",
    "auth",
    "authtoken",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "secretkey",
    "privatekey",
    "clientsecret",
    "jwt",
    "bearer",
    "accesskey",
    "sessionkey",
    "authorization",
    "cookie",
    "pass",
];

/// Ends of words that are written on to what is before them, as in `PGPASSWORD`.
const RUN_ON: [&str; 5] = ["password", "passwd", "passphrase", "secret", "apikey"];

/// Words that make a name one of a secret when `key` follows them.
const KEYED: [&str; 14] = [
    "api",
    "access",
    "private",
    "secret",
    "encryption",
    "signing",
    "auth",
    "service",
    "master",
    "deploy",
    "account",
    "session",
    "storage",
    "subscription",
];

/// Words at the end of a name that speak of a secret and are none.
const ABOUT: [&str; 45] = [
    "count", "limit", "length", "len", "max", "min", "policy", "type", "url", "uri", "name",
    "method", "expiry", "expires", "ttl", "timeout", "path", "file", "dir", "enabled", "size",
    "usage", "header", "field", "endpoint", "provider", "mode", "host", "port", "required",
    "budget", "rate", "hash", "age", "version", "format", "prefix", "alias", "label", "ref",
    "used", "hint", "rounds", "attempts", "retries",
];

/// Whether a name is that of a secret, such as `api_key`, `DB_PASSWORD`, `authToken`. Names that only
/// speak of one, such as `max_tokens`, `password_policy` or `AUTHOR`, are none.
///
/// ```
/// use hermes_tools::output::redact::is_secret_name;
///
/// assert!(is_secret_name("clientSecret"));
/// assert!(!is_secret_name("token_count"));
/// ```
pub fn is_secret_name(name: &str) -> bool {
    if name == "PWD" {
        // Shells keep the folder there.
        return false;
    }
    let words = words(name);
    let Some(last) = words.last() else {
        return false;
    };
    if ABOUT.contains(&last.as_str()) {
        return false;
    }
    let keyed = |pair: &[String]| KEYED.contains(&pair[0].as_str()) && pair[1] == "key";
    // `pass` alone is a word of many meanings: it counts at the end of a name of several.
    let single = |word: &String| {
        SECRET.contains(&word.as_str()) && word != "pass"
            || RUN_ON.iter().any(|end| word.ends_with(end))
    };
    words.iter().any(single) || words.windows(2).any(keyed) || last == "pass" && words.len() > 1
}

/// The words of a name, in small letters: at `_`, `-` and `.`, and where a capital begins one.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let starts = character.is_uppercase()
            && (before.is_lowercase()
                || before.is_uppercase()
                    && characters.peek().is_some_and(|next| next.is_lowercase()));
        if (!character.is_alphanumeric() || starts) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
