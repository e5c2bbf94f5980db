use super::*;
use proptest::prelude::*;

#[test]
fn names_are_taken_by_their_words() {
    for name in [
        "API_KEY",
        "apiKey",
        "DB_PASSWORD",
        "client_secret",
        "authToken",
        "x-auth-token",
        "PRIVATE_KEY",
        "dbPass",
        "SLACK_AUTH",
        "accessToken",
        "ACCESS_KEY",
        "PGPASSWORD",
        "MYSQL_PWD",
        "myapikey",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "AUTHOR",
        "TOKENIZERS_PARALLELISM",
        "max_tokens",
        "token_count",
        "password_policy",
        "password_hash_rounds",
        "tokens",
        "monkey",
        "key",
        "PASSWORD_FILE",
        "auth_url",
        "KEYBOARD",
        "pass",
        "bypass",
        "PWD",
        "OLDPWD",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn a_secret_is_masked_once_wherever_it_stands() {
    let rows = [
        (
            "curl -H \"X-Api-Key: Zq7Kp2Lm9Xw4Rt6Bn3Vc8\" x",
            "curl -H \"X-Api-Key: Zq7Kp2...3Vc8\" x",
        ),
        ("API_KEY=sk-Zq7Kp2Lm9Xw4Rt6Bn3Vc8", "API_KEY=sk-Zq7...3Vc8"),
        ("Cookie: theme=dark-blue; pin=1234", "Cookie: ***"),
        (
            "\"Authorization\": \"Bearer Zq7Kp2Lm9Xw4Rt6Bn3Vc8\"",
            "\"Authorization\": \"Bearer Zq7Kp2...3Vc8\"",
        ),
        ("Authorization: Bearer", "Authorization: Bearer"),
        (
            "https://x-access-token:ghp_Zq7Kp2Lm9Xw4Rt6Bn3Vc8@h/o",
            "https://x-access-token:ghp_Zq...3Vc8@h/o",
        ),
        ("Set-Cookie: sid=Zq7Kp2Lm9Xw4Rt6Bn3Vc8", "Set-Cookie: ***"),
        (
            "{\"client_secret\": \"abc123\", \"a\": 1}",
            "{\"client_secret\": \"***\", \"a\": 1}",
        ),
        (
            "{\\\"authToken\\\": \\\"Zq7Kp2Lm9Xw4Rt6Bn3Vc8\\\"}",
            "{\\\"authToken\\\": \\\"Zq7Kp2...3Vc8\\\"}",
        ),
        ("token: ghp_Zq7Kp2Lm9Xw4Rt6Bn3Vc8", "token: ghp_Zq...3Vc8"),
        ("redis://:hunter2@h:6379/0", "redis://:***@h:6379/0"),
        ("mongodb+srv://u:p/w@h/x", "mongodb+srv://u:***@h/x"),
        ("call +15551234567 now", "call +155****4567 now"),
        ("call +1234567 now", "call +1****67 now"),
        (
            "bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
            "bot123456789:***",
        ),
        (
            "spring.datasource.password=hunter2",
            "spring.datasource.password=***",
        ),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nafter",
            "[REDACTED PRIVATE KEY]\nafter",
        ),
        (
            "Authorization: Bearer $TOKEN",
            "Authorization: Bearer $TOKEN",
        ),
        ("password = getpass()  # ask", "password = ***  # ask"),
        ("AUTHOR=alice TOKEN_LIMIT=5", "AUTHOR=alice TOKEN_LIMIT=5"),
    ];
    for (text, expected) in rows {
        assert_eq!(redact(text), expected);
    }
}

#[test]
fn addresses_of_the_web_keep_what_signs_in_unless_it_is_strict() {
    let text = "https://u:secretpw@h/?access_token=abc&x=1#id%5Ftoken=q";
    assert_eq!(redact(text), text);
    assert_eq!(
        Redactor::new(Mode::StrictUrl).redact(text),
        "https://u:***@h/?access_token=***&x=1#id%5Ftoken=***"
    );
}

#[test]
fn a_terminal_that_shows_variables_is_redacted_as_a_log() {
    for command in [
        "env",
        "/usr/bin/env",
        "sudo printenv",
        "FOO=1 env | sort",
        "cat .env",
        "cat app/.env.local",
        "set",
        "export -p",
        "ls; env",
        "bash -lc env",
        "docker exec web printenv",
    ] {
        assert_eq!(
            Redactor::new(Mode::Terminal { command }).redact("A_TOKEN=abc"),
            "A_TOKEN=***",
            "{command}"
        );
    }
    for command in [
        "cat settings.py",
        "environment",
        "grep env f",
        "cat .env.example",
        "docker run x environment",
    ] {
        assert_eq!(
            Redactor::new(Mode::Terminal { command }).redact("A_TOKEN=abc"),
            "A_TOKEN=abc",
            "{command}"
        );
    }
}

#[test]
fn given_texts_are_taken_out() {
    assert_eq!(
        without("no hunter2 here, hunter2", &["hunter2", "no"]),
        "no *** here, ***"
    );
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,80}") {
        for mode in [Mode::Log, Mode::Code, Mode::File, Mode::StrictUrl, Mode::Terminal { command: &text }] {
            let _ = Redactor::new(mode).redact(&text);
        }
    }

    #[test]
    fn nothing_of_a_known_key_but_its_ends_is_left(body in "[A-Z][a-z][0-9][A-Za-z0-9]{20,40}", before in "[ ,;(]", after in "[ ,;)]") {
        let text = format!("x{before}ghp_{body}{after}y");
        let shown = redact(&text).into_owned();
        prop_assert!(!shown.contains(&body[3..body.len() - 4]), "{}", shown);
    }
}
