//! Word lists of the assignment matcher.

/// Keywords of the prefilter; every word below contains one of these.
#[rustfmt::skip]
pub(super) const NAME_KEYWORDS: &[&str] = &[
    "pass", "pwd", "secret", "token", "key", "cred", "auth", "private", "bearer", "jwt", "salt", "seed", "hmac",
    "_pw", "-pw", "cookie", "session", "mnemonic", "connectionstring", "connection_string", "license", "webhook",
    "_pat", "dsn", "pin", "otp", "psk", "_sk", "access", "apik", "signing", "csrf",
];

/// Nouns that end the name of a password.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "password", "passwd", "passphrase", "passcode", "passwort", "secret", "pwd", "passwords", "secrets", "psw",
];

/// Nouns that end the name of a password, only as whole words, because `bypass` also ends with `pass`.
#[rustfmt::skip]
pub(super) const WHOLE_PASSWORDS: &[&str] = &[
    "pass", "pw", "credential", "credentials", "cred", "creds", "userpass", "dbpass", "pin", "psk",
    "bindpw", "rootpw", "userpw", "dbpw", "keypass", "storepass",
];

/// Nouns that end the name of a token.
#[rustfmt::skip]
pub(super) const TOKENS: &[&str] = &[
    "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "tokens", "apisecret", "bearer",
    "apikeys",
];

/// Nouns that end the name of a token, only as whole words.
#[rustfmt::skip]
pub(super) const WHOLE_TOKENS: &[&str] = &[
    "jwt", "pat", "hmac", "mnemonic", "sas", "otp", "authorization", "connectionstring", "sk",
];

/// Words before `key` that make it a secret.
#[rustfmt::skip]
pub(super) const KEY_MODIFIERS: &[&str] = &[
    "api", "access", "secret", "private", "auth", "account", "master", "service", "shared", "client", "server",
    "app", "application", "consumer", "subscription", "deploy", "signing", "encryption", "encrypt", "crypt",
    "decryption", "hmac", "jwt", "license", "admin", "write", "session", "ssh", "rest", "storage", "token",
    "webhook", "authentication", "credentials", "credential", "iam", "project", "ingest", "integration", "sdk",
    "unlock",
];

/// Words before `key` that make it harmless.
#[rustfmt::skip]
pub(super) const PUBLIC_MODIFIERS: &[&str] = &[
    "public", "pub", "primary", "foreign", "cache", "sort", "partition", "index", "unique", "composite", "group",
    "item", "translation", "i18n", "map", "dict", "row", "object", "idempotency", "registry", "natural", "hot",
    "shortcut", "arrow", "press", "lookup", "field", "column", "routing", "query", "state", "event", "host",
    "known", "verify", "verification", "publishable", "site", "fingerprint", "hash", "test", "data", "message",
    "metadata", "config", "setting", "env", "header", "tree", "node", "react", "list", "kms", "by", "per", "for",
    "the", "same", "build", "commit", "etag", "content", "resource", "bundle", "label", "locale", "lang", "vapid",
    "is", "has", "no", "recv", "authorized", "trusted", "keyserver",
];

/// Words before `token` for page and request tokens, which are not secrets.
#[rustfmt::skip]
pub(super) const PAGE_MODIFIERS: &[&str] = &[
    "next", "page", "paging", "pagination", "continuation", "continue", "sequence", "starting", "change",
    "idempotency", "sync", "forward", "backward",
];

/// Words before `key` that make it public even next to a provider's name.
#[rustfmt::skip]
pub(super) const SITE_MODIFIERS: &[&str] = &[
    "site", "cache", "primary", "foreign", "partition", "sort", "idempotency", "translation", "routing",
];

/// Nouns that sometimes end the name of a secret.
#[rustfmt::skip]
pub(super) const WEAK: &[&str] = &[
    "auth", "private", "session", "sessionid", "sid", "cookie", "salt", "seed", "key", "keys", "webhook", "dsn",
    "pepper", "nonce", "csrf", "access",
];

/// Words after the noun that do not change its meaning: `password_value`, `TOKEN_PROD`, `secret2`.
#[rustfmt::skip]
pub(super) const TRAILERS: &[&str] = &[
    "value", "val", "string", "str", "text", "plain", "plaintext", "prod", "production", "dev", "development",
    "staging", "stage", "test", "testing", "live", "sandbox", "default", "env", "old", "new", "raw", "base", "b",
    "v", "encoded", "global", "admin", "root", "main", "local", "backup", "secondary", "current", "previous",
    "next", "encrypted", "clear", "cleartext", "ro", "rw", "read", "write", "var", "literal", "const", "data",
    "hex", "primary",
];

/// Last words of harmless names, although they contain the name of a provider.
#[rustfmt::skip]
pub(super) const HARMLESS_ENDS: &[&str] = &[
    "id", "ids", "url", "uri", "name", "host", "path", "file", "version", "hash", "commit", "sha", "checksum",
    "digest", "image", "region", "endpoint", "email", "user", "username", "public", "dir", "type", "format", "date",
    "size", "ref", "tag", "rev", "revision", "domain", "bucket", "project", "org", "team", "channel", "html", "css",
    "js", "json", "class", "src", "href", "link", "title", "icon", "logo", "integrity", "resolved", "fingerprint",
    "etag", "uuid", "guid", "com", "io", "net", "md", "release", "config", "settings", "test",
];

/// Values that mean "no value".
#[rustfmt::skip]
pub(super) const DENIALS: &[&str] = &[
    "non", "not", "invalid", "incorrect", "bad", "empty", "wrong", "dummy", "mock", "example", "sample", "placeholder", "fake", "malformed",
];

/// Placeholder words, anywhere in the value.
#[rustfmt::skip]
pub(super) const PLACEHOLDERS: &[&str] = &[
    "example", "placeholder", "changeme", "change_me", "change-me", "changeit", "change_it", "change-it", "your_",
    "your-", "yourpass", "yoursecret", "yourtoken", "yourkey", "yourapi", "youracc", "dummy", "redacted",
    "replace_", "replace-", "replaceme", "insert_", "insert-", "notreal", "not_a_", "not-a-", "not_real",
    "not-real", "todo", "fixme", "lorem", "tokenhere", "keyhere", "_here", "-here", "secrethere", "stringhere",
    "xxxxx", "*****", "#####", ".....", "-----", "undefined", "some_", "some-", "_goes_", "-goes-", "to_be_",
    "foobar", "foo_bar", "deadbeefdeadbeef",
];

/// Words that make a password an example; a random value may contain them by chance.
#[rustfmt::skip]
pub(super) const SPECIMENS: &[&str] = &[
    "test", "fake", "sample", "demo", "mock", "default", "invalid", "wrong", "incorrect", "password", "passwd",
    "passphrase", "secret", "token", "apikey", "api_key", "api-key", "hello", "world", "qwerty", "asdf", "letmein",
    "mypass", "abc123", "123456", "string", "value", "null", "none", "true", "false", "admin", "user", "login",
    "bogus", "stub", "blah", "spam", "http", "utf", "sha", "md5", "hash", "rsa", "aes", "encrypt", "oauth",
    "bearer", "basic", "session", "cookie", "field", "input", "label", "required", "missing", "expired", "unused",
    "reset", "forgot", "confirm", "config", "setting", "param", "const", "foo", "bar", "baz", "key", "auth", "cred",
    "pass", "vault", "sql", "something",
];

/// Endings of file and host names.
#[rustfmt::skip]
pub(super) const LOCATOR_ENDS: &[&str] = &[
    ".json", ".yaml", ".yml", ".toml", ".txt", ".pem", ".key", ".crt", ".cer", ".pub", ".py", ".js", ".ts", ".tsx",
    ".jsx", ".rs", ".go", ".java", ".rb", ".php", ".html", ".htm", ".css", ".scss", ".xml", ".md", ".rst", ".png",
    ".svg", ".jpg", ".gif", ".env", ".conf", ".cfg", ".ini", ".sh", ".keytab", ".jks", ".p12", ".pfx", ".com",
    ".org", ".net", ".io", ".dev", ".local", ".lock", ".log", ".db", ".vue", ".kt", ".cs", ".cpp", ".h",
];

/// Prefixes of digests, public keys and other public values.
#[rustfmt::skip]
pub(super) const PUBLIC_PREFIXES: &[&str] = &[
    "sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha512:", "md5:", "sha1:", "ssh-rsa", "ssh-ed25519",
    "AAAAB3Nza", "AAAAC3Nza", "AAAAE2Vj", "data:", "urn:", "v1beta", "rgba(", "npm:", "encrypted:", "ENC[",
    "pk_live_", "pk_test_", "age1",
];

/// Placeholder passwords in documented URLs.
#[rustfmt::skip]
pub(super) const ADDRESS_SPECIMENS: &[&str] = &[
    "password", "passwd", "pass", "pwd", "secret", "user", "username", "admin", "root", "test", "guest", "postgres",
    "mysql", "token", "key", "bar", "foo", "baz", "hunter2", "qwerty", "x-oauth-basic", "login", "credentials",
    "pw", "me", "p", "pass123", "password1", "password123", "123456", "s3cret", "userpass", "mypassword", "dbpass",
    "apikey", "none", "null",
];

/// Words that placeholder passwords are composed of: `supersecret`, `testpass`, `my_access_key`.
#[rustfmt::skip]
pub(super) const SPECIMEN_PARTS: &[&str] = &[
    "password", "passwd", "pass", "pwd", "secret", "user", "username", "admin", "root", "test", "token", "key", "api",
    "access", "super", "top", "very", "my", "your", "some", "the", "db", "cache", "new", "old", "foo", "bar", "baz",
    "word", "strong", "safe", "login", "guest",
];
