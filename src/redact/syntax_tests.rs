//! Lines of many languages and formats, each with what becomes of it. `@` is a random value of sixteen bytes; a line that begins with
//! `file:` is the text of a file of that name.

use super::Redactor;

const SECRET: &str = "q8Zr2LmT5vXc7Bn4";

const LINES: &[&str] = &[
    // Assignments.
    "token = '@'",
    "token='@'",
    "token==\"@\"",
    "token != '@'",
    "token += '@'",
    "token ||= '@'",
    "token ??= '@'",
    "token :: '@'",
    "token -> '@'",
    "token - '@'",
    "token => '@'",
    "token <- '@'",
    "token < '@'",
    "token.x = '@'",
    "token ? '@' : 1",
    "token ||||| '@'",
    "token :==== '@'",
    "token = @",
    "token = @;",
    "token = @ # why",
    "token: @",
    "token : @",
    "token:@",
    "token=@",
    "token=@,",
    "token = `@`",
    "token = b'@'",
    "token = rb'@'",
    "token = xyzb'@'",
    "token = @\"@\"",
    "token = $'@'",
    "token = ['@']",
    "token = ('@')",
    "token = {'@'}",
    "token = \"@",
    "token = \"@\n\"",
    "token = \"\"\"@\n\"\"\"",
    "token = ''",
    "token = '@' or '@'",
    // Names in quotes, brackets, calls.
    "\"token\": \"@\"",
    "'token': '@'",
    "`token`: `@`",
    "\\\"token\\\": \\\"@\\\"",
    "\\'token\\' = \\'@\\'",
    "x['token'] = '@'",
    "x[\"token\"]=@",
    "x.get('token') or '@'",
    "x.get('token') || '@'",
    "x.get('token') ?? '@'",
    "x.get('token') ?: '@'",
    "x.get('token') && '@'",
    "f(token, '@')",
    "f('token', '@')",
    "f('token', \"value\", '@')",
    "('token') , '@'",
    "set('token','@')",
    "set('token', value='@')",
    "set('token', value: '@')",
    "{'name': 'token', 'value': '@'}",
    "{\"name\": \"token\", \"value\": \"@\"}",
    "{\"name\": \"token\", \"value\" \"@\"}",
    "token('@')",
    "token ('@')",
    "token(@)",
    "token(x, '@')",
    "**token**: @",
    "*token*: @",
    "***token***: @",
    "x.token || '@'",
    "x.token ?? '@'",
    "x.token or '@'",
    "x.token|| '@'",
    "token || x",
    "token{\"@\"}",
    "token {\"@\"}",
    "token{x, \"@\"}",
    "f('token', default='@')",
    "token = x if y else '@'",
    "token = Field(default='@')",
    "token: { value: '@' }",
    "| token | @ |",
    "| token | `@` |",
    "| token | none |",
    "the token is @",
    "the token is fine",
    "API key is @",
    "the key is @",
    "arn:aws:x:secret:@",
    "did:key:@",
    "badge.svg?token=@",
    "page.html?token=@",
    "keyPassword 'moon7light'",
    "x keyPassword 'moon7light'",
    "keyPassword 'moon7light', 'x'",
    // Types.
    "var token string = \"@\"",
    "let token: &'static str = \"@\"",
    "token: str = '@'",
    "token: Optional[str] = '@'",
    "const token : string | null = '@'",
    "token: Map<string, 7> = '@'",
    "token string == '@'",
    "token string => '@'",
    "String token = \"@\"",
    "token: aVeryLongNameOfATypeThatNobodyReadsAll = '@'",
    "token: String",
    "token = new Key('@')",
    "token = Key::from(\"@\")",
    "token = []byte(\"@\")",
    "token = fn(1, \"@\")",
    "token = f$(\"@\")",
    // Markup.
    "<token>@</token>",
    "<token>\n  @\n</token>",
    "<token x='1'>@</token>",
    "<a name=\"token\">@</a>",
    "<token><b>@</b>",
    "<token><![CDATA[@]]></token>",
    "<key>token</key><string>@</string>",
    "<key>token</key>\n\t<string>@</string>",
    "<name>token</name><value>@</value>",
    "<name>token</name><other>@</other>",
    "<add key=\"token\" value=\"@\"/>",
    "<add key=\"token\" values=\"@\"/>",
    "<meta name=\"token\" content=\"@\">",
    "<input name='token' VALUE='@'>",
    "<i token=\"@\">",
    "token>@",
    "<token>@",
    "<token x='1' y=\"2\">\n  @\n</token>",
    "<token x='1'/>@</token>",
    "<token x>@</token>",
    "<token x='1'><b>@</b>",
    "<token x='sha1'>@</token>",
    "https://<user>:<token>@",
    // Command lines, addresses, headers, forms.
    "--token @",
    "--token=@",
    "--token '@'",
    "-token @",
    "token @",
    "token '@'",
    "PASSWORD '@7!'",
    "?token=@&x=1",
    "?token=@&amp;x=1",
    "?token=@&x",
    "?token=@%26",
    "a=1&token=@",
    "Authorization: Bearer @",
    "X-Api-Key: @",
    "name=\"token\"\r\n\r\n@\r\n",
    "name=\"token\"\n\n@\n",
    "name=\"token\"\n@\n",
    "name=\"token\"\n\n\n@\n",
    "\"name=\\\"token\\\"\\r\\n\\r\\n@\\r\\n\"",
    "Set-Item Env:token -Value @",
    "Set-Item Env:token -value '@'",
    "setx TOKEN @",
    "ENV TOKEN @",
    "export TOKEN=@",
    "TOKEN=@ make",
    "$env:TOKEN='@'",
    "token\t@",
    // The next line.
    "token: |\n  @\n",
    "token: >\n  @\n",
    "token: >-2\n  @\n",
    "token: |+\n  @\n",
    "token: |-------\n  @\n",
    "token = |\n  @\n",
    "token=\\\n  @\n",
    "token: \\\n  @\n",
    "token: \\ @",
    "token:\n  @",
    "token:\n  '@'",
    "token =\n  \"@\"",
    "token:\n@\n",
    "token:\n  @ and more",
    "token:\n  @: x",
    "token:\n  short7x",
    "token =\n  @",
    "- name: token\n  value: @\n",
    "- name: token\n  values: @\n",
    "token\n@",
    // Blocks with a default.
    "variable \"token\" {\n  default = \"@\"\n}",
    "variable \"token\" {\n  default     =     \"@\"\n}",
    "variable \"token\" {\n  default                          = \"@\"\n}",
    "variable \"token\" {}\ndefault = \"@\"",
    "variable \"token\" {\n  type = string\n}",
    "variable token {\n  default = \"@\"\n}",
    // Escapes in strings.
    "x = \"a\\ntoken=@\\nb\"",
    "x = \"a\\ttoken=@\"",
    "x = \"\\stoken=@\"",
    "x = 'token=@\\'",
    "token=@\\\\n",
    "token=@\\",
    // Ends of values.
    "token=@.",
    "token=@:",
    "token=@)",
    "token=@]",
    "token=@}",
    "token=@|x",
    "token=@>x",
    "token=@'",
    "token=@`",
    "token=(@",
    "token=@(",
    "token=@[0]",
    "token={@",
    "token=@{",
    "token: @, x",
    "token: @; x",
    // Names.
    "the_token_value = '@'",
    "tokenUri = '@'",
    "token_id = '@'",
    "tokens = '@'",
    "mytoken = '@'",
    "token2 = '@'",
    "tokenizer = '@'",
    "publicToken = '@'",
    "public_key = '@'",
    "key = '@'",
    "secretKey = '@'",
    "primary_key = '@'",
    "dummy_token = '@'",
    "token-prod = '@'",
    "token. = '@'",
    "token- = '@'",
    "algolia = '@'",
    "algolia_url = '@'",
    "md5_key = '@'",
    "sha_password = '@'",
    "publishable_key = '@'",
    "auth = '@'",
    "session = '@'",
    "connection_string = '@'",
    "next_token = '@'",
    "continuationToken: '@'",
    "change_token = '@'",
    "changeToken2 = '@'",
    "next_secret = '@'",
    "recaptcha_site_key = '@'",
    "hashed_key = '@'",
    "bad_token = '@'",
    "recv_keys = '@'",
    // Files.
    "file:.env\nTOKEN=moon7light",
    "file:a.py\nTOKEN=moon7light",
    "file:.env.local\nPASSWORD=moon7light",
    "file:app.yml\npassword: moon7light",
    "file:app.py\npassword: moon7light",
    "file:conf/.npmrc\npassword = moon7light",
    "file:c\\app.ini\npassword = moon7light",
    "file:x.credentials\npassword = moon7light",
    "file:env.py\npassword = moon7light",
];

fn found() -> String {
    let mut out = String::from("\n");
    for line in LINES {
        let (path, text) = line.strip_prefix("file:").and_then(|file| file.split_once('\n')).unwrap_or(("", line));
        // The sign of C# and of values alike: the last one is the value.
        let text = match text.rfind("@\"").filter(|_| text.contains("@\"@\"")) {
            Some(at) => format!("{}{SECRET}{}", &text[..at], &text[at + 1..]),
            None => text.replace('@', SECRET),
        };
        let (redacted, _) = Redactor::builtin().redact(&text, path);
        out.push_str(&format!("{:?}\n", redacted.replace(SECRET, "@").replace("[REDACTED:", "[")));
    }
    out
}

#[test]
fn every_syntax_and_what_only_looks_like_one() {
    let found = found();
    for ((line, found), wanted) in LINES.iter().zip(found.lines().skip(1)).zip(FOUND.lines().skip(1)) {
        assert_eq!(found, wanted, "{line}");
    }
    assert_eq!(found, FOUND);
}

#[rustfmt::skip]
const FOUND: &str = r#"
"token = '[token]'"
"token='[token]'"
"token==\"[token]\""
"token != '[token]'"
"token += '[token]'"
"token ||= '[token]'"
"token ??= '[token]'"
"token :: '@'"
"token -> '[token]'"
"token - '@'"
"token => '[token]'"
"token <- '[token]'"
"token < '@'"
"token.x = '@'"
"token ? '@' : 1"
"token ||||| '@'"
"token :==== '@'"
"token = [token]"
"token = [token];"
"token = [token] # why"
"token: [token]"
"token : [token]"
"token:[token]"
"token=[token]"
"token=[token],"
"token = `[token]`"
"token = b'[token]'"
"token = rb'[token]'"
"token = xyzb'@'"
"token = @\"[token]\""
"token = $'[token]'"
"token = ['[token]']"
"token = ('[token]')"
"token = {'[token]'}"
"token = \"@"
"token = \"@\n\""
"token = \"\"\"[token]\n\"\"\""
"token = ''"
"token = '[token]' or '@'"
"\"token\": \"[token]\""
"'token': '[token]'"
"`token`: `[token]`"
"\\\"token\\\": \\\"[token]\\\""
"\\'token\\' = \\'[token]\\'"
"x['token'] = '[token]'"
"x[\"token\"]=[token]"
"x.get('token') or '[token]'"
"x.get('token') || '[token]'"
"x.get('token') ?? '[token]'"
"x.get('token') ?: '[token]'"
"x.get('token') && '@'"
"f(token, '@')"
"f('token', '[token]')"
"f('token', \"value\", '@')"
"('token') , '@'"
"set('token','[token]')"
"set('token', value='[token]')"
"set('token', value: '[token]')"
"{'name': 'token', 'value': '[token]'}"
"{\"name\": \"token\", \"value\": \"[token]\"}"
"{\"name\": \"token\", \"value\" \"[token]\"}"
"token('[token]')"
"token ('[token]')"
"token(@)"
"token(x, '@')"
"**token**: [token]"
"*token*: [token]"
"***token***: @"
"x.token || '[token]'"
"x.token ?? '[token]'"
"x.token or '[token]'"
"x.token|| '@'"
"token || x"
"token{\"[token]\"}"
"token {\"[token]\"}"
"token{x, \"@\"}"
"f('token', default='[token]')"
"token = x if y else '[token]'"
"token = Field(default='[token]')"
"token: { value: '[token]' }"
"| token | [token] |"
"| token | `[token]` |"
"| token | none |"
"the token is [token]"
"the token is fine"
"API key is [token]"
"the key is @"
"arn:aws:x:secret:@"
"did:key:@"
"badge.svg?token=@"
"page.html?token=[token]"
"keyPassword '[password]'"
"x keyPassword 'moon7light'"
"keyPassword 'moon7light', 'x'"
"var token string = \"[token]\""
"let token: &'static str = \"[token]\""
"token: str = '[token]'"
"token: Optional[str] = '[token]'"
"const token : string | null = '[token]'"
"token: Map<string, 7> = '@'"
"token string == '@'"
"token string => '@'"
"String token = \"[token]\""
"token: aVeryLongNameOfATypeThatNobodyReadsAll = '[token]'"
"token: String"
"token = new Key('[token]')"
"token = Key::from(\"[token]\")"
"token = []byte(\"[token]\")"
"token = fn(1, \"@\")"
"token = f$(\"@\")"
"<token>[token]</token>"
"<token>\n  [token]\n</token>"
"<token x='1'>[token]</token>"
"<a name=\"token\">[token]</a>"
"<token><b>@</b>"
"<token><![CDATA[[token]]]></token>"
"<key>token</key><string>[token]</string>"
"<key>token</key>\n\t<string>[token]</string>"
"<name>token</name><value>[token]</value>"
"<name>token</name><other>@</other>"
"<add key=\"token\" value=\"[token]\"/>"
"<add key=\"token\" values=\"@\"/>"
"<meta name=\"token\" content=\"[token]\">"
"<input name='token' VALUE='[token]'>"
"<i token=\"[token]\">"
"token>@"
"<token>@"
"<token x='1' y=\"2\">\n  [token]\n</token>"
"<token x='1'/>@</token>"
"<token x>@</token>"
"<token x='1'><b>@</b>"
"<token x='sha1'>@</token>"
"https://<user>:<token>@"
"--token [token]"
"--token=[token]"
"--token '[token]'"
"-token [token]"
"token [token]"
"token '[token]'"
"PASSWORD '[sql-identified-by]'"
"?token=[token]&x=1"
"?token=[token]&amp;x=1"
"?token=[token]"
"?token=[token]"
"a=1&token=[token]"
"Authorization: Bearer [authorization-header]"
"X-Api-Key: [curl-header]"
"name=\"token\"\r\n\r\n[token]\r\n"
"name=\"token\"\n\n[token]\n"
"name=\"token\"\n@\n"
"name=\"token\"\n\n\n@\n"
"\"name=\\\"token\\\"\\r\\n\\r\\n[token]\\r\\n\""
"Set-Item Env:token -Value [token]"
"Set-Item Env:token -value '[token]'"
"setx TOKEN [token]"
"ENV TOKEN [dockerfile-env]"
"export TOKEN=[token]"
"TOKEN=[token] make"
"$env:TOKEN='[token]'"
"token\t[token]"
"token: |\n  [token]\n"
"token: >\n  [token]\n"
"token: >-2\n  [token]\n"
"token: |+\n  [token]\n"
"token: |-------\n  @\n"
"token = |\n  @\n"
"token=\\\n  [token]\n"
"token: \\\n  [token]\n"
"token: \\ @"
"token:\n  [token]"
"token:\n  '[token]'"
"token =\n  \"[token]\""
"token:\n[token]\n"
"token:\n  @ and more"
"token:\n  @: x"
"token:\n  short7x"
"token =\n  @"
"- name: token\n  value: [token]\n"
"- name: token\n  values: @\n"
"token\n@"
"variable \"token\" {\n  default = \"[token]\"\n}"
"variable \"token\" {\n  default     =     \"[token]\"\n}"
"variable \"token\" {\n  default                          = \"@\"\n}"
"variable \"token\" {}\ndefault = \"@\""
"variable \"token\" {\n  type = string\n}"
"variable token {\n  default = \"@\"\n}"
"x = \"a\\ntoken=[token]\\nb\""
"x = \"a\\ttoken=[token]\""
"x = \"\\stoken=[token]\""
"x = 'token=[token]\\'"
"token=[token]\\\\n"
"token=[token]\\"
"token=[token]."
"token=[token]:"
"token=[token])"
"token=[token]]"
"token=[token]}"
"token=[token]|x"
"token=[token]>x"
"token=[token]'"
"token=[token]`"
"token=([token]"
"token=@("
"token=@[0]"
"token={[token]"
"token=@{"
"token: [token], x"
"token: [token]; x"
"the_token_value = '[token]'"
"tokenUri = '@'"
"token_id = '@'"
"tokens = '[token]'"
"mytoken = '[token]'"
"token2 = '[token]'"
"tokenizer = '@'"
"publicToken = '[token]'"
"public_key = '@'"
"key = '[key]'"
"secretKey = '[token]'"
"primary_key = '@'"
"dummy_token = '@'"
"token-prod = '[token]'"
"token. = '@'"
"token- = '@'"
"algolia = '[key]'"
"algolia_url = '@'"
"md5_key = '@'"
"sha_password = '[npmrc-auth]'"
"publishable_key = '@'"
"auth = '[key]'"
"session = '[key]'"
"connection_string = '[token]'"
"next_token = '@'"
"continuationToken: '@'"
"change_token = '@'"
"changeToken2 = '@'"
"next_secret = '[password]'"
"recaptcha_site_key = '@'"
"hashed_key = '@'"
"bad_token = '@'"
"recv_keys = '@'"
"TOKEN=moon7light"
"TOKEN=moon7light"
"PASSWORD=[password]"
"password: [password]"
"password: moon7light"
"password = [password]"
"password = [password]"
"password = [password]"
"password = moon7light"
"#;
