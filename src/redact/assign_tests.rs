//! Tests that every syntax yields the same value, and that code and prose yield none.

use super::*;

fn value(line: &str, name: &str) -> Option<String> {
    let at = line.find(name)?;
    let (from, to) = name_around(line.as_bytes(), at, at + name.len())?;
    find(line.as_bytes(), from, to, &mut ScanState { literal: false, bare_reach: BARE_REACH, judged: 0 }, |_| false)
        .map(|found| line[found.start..found.end].to_owned())
}

#[test]
fn every_syntax_gives_the_same_value() {
    let secret = "q8Zr2LmT5vXc7Bn4";
    for line in [
        "token = '@'",
        "token=@",
        "\"token\": \"@\"",
        "token: @",
        "token := `@`",
        "\"token\" => \"@\"",
        "token ?= \"@\"",
        "token :::= \"@\"",
        "$token .= \"@\"",
        "var token string = \"@\"",
        "let token: &'static str = \"@\";",
        "token: Optional[str] = \"@\"",
        "<token>@</token>",
        "<token>\n   @\n</token>",
        "setProperty(\"token\", \"@\")",
        "<add key=\"token\" value=\"@\" />",
        "- name: token\n  value: \"@\"",
        "--token @",
        "--token=@",
        "config['token'] = b'@'",
        "{\"a.ini\": \"x=1\\ntoken=@\\nb=2\"}",
        "getenv('token') || '@'",
        "setToken(\"@\")".replace("Token", "token").as_str(),
        "{\"name\": \"token\", \"value\": \"@\"}",
        "?token=@&x=1",
        "<key>token</key>\n<string>@</string>",
        "\\\"token\\\": \\\"@\\\"",
        "token: |\n  @\n",
        "token: >-\n  @\n",
        "my.token=\\\n    @\n",
        "token = \"\"\"\n@\"\"\"",
        "<token><![CDATA[@]]></token>",
        "variable \"token\" {\n  type    = string\n  default = \"@\"\n}",
        "Set-Item -Path Env:token -Value '@'",
        "**token**: @",
        "name=\"token\"\r\n\r\n@\r\n--x",
    ] {
        let line = line.replace('@', secret);
        assert_eq!(value(&line, "token").as_deref(), Some(secret), "{line}");
    }
}

#[test]
fn code_and_prose_have_no_value() {
    for line in [
        "token = get_token(1)",
        "token = tokens[0]",
        "token: String,",
        "token == other.token2",
        "the token: it is a long one",
        "Token::from(\"a\")",
        "token = ${TOKEN}",
        "token = os.environ[\"TOKEN\"]",
        "if token {",
        "token = None",
        "token?: string;",
    ] {
        assert_eq!(value(line, "oken"), None, "{line}");
    }
}
