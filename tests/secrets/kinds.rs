//! Kinds of secrets in their usual contexts, and lookalikes (`clear`). Everything is made up and generated when the
//! test runs; text between `«` and `»` must be redacted.

use teddy::redact::Redactor;

use crate::clear::CLEAR;
use crate::draw;

/// Replacement for `@` in machine-written contexts.
const DRAWN: [&str; 4] = ["{an32}", "{h40}", "{la24}", "{b40}"];

/// Replacement for `@` in contexts written by people.
const CHOSEN: [&str; 6] =
    ["Harbor4817!", "V1willowmeadowB", "emberFalcon62", "Meadow@2931", "Xkwillow#583", "orbit7$saddle"];

/// File and line with a token in place of `@`.
#[rustfmt::skip]
const SYNTAXES: &[(&str, &str)] = &[
    ("", "<token type=\"bearer\">@</token>"),
    ("", "<ApiKey id=\"7\">@</ApiKey>"),
    ("settings.xml", "<password encrypted=\"false\">@</password>"),
    ("a.yml", "token:\n  @\n"),
    ("README.md", "API token:\n@\n"),
    ("v.yaml", "api_key: >-\n  @"),
    ("", "\"accessToken\" : \"@\""),
    ("c.toml", "access_token = \"@\""),
    ("c.ini", "token = @"),
    ("application.properties", "my.service.api-key=@"),
    ("x.sh", "export SERVICE_TOKEN=@"),
    ("x.csh", "setenv API_TOKEN @"),
    ("x.bat", "set API_TOKEN=@"),
    ("x.ps1", "$env:API_TOKEN = \"@\""),
    ("x.ps1", "[Environment]::SetEnvironmentVariable(\"API_TOKEN\", \"@\")"),
    ("x.yml", "api_token: \"@\" # prod"),
    ("x.php", "'api_token' => '@',"),
    ("x.php", "define('API_TOKEN', '@');"),
    ("x.php", "$apiToken = '@';"),
    ("x.rb", ":api_token => \"@\""),
    ("X.java", "private static final String API_KEY = \"@\";"),
    ("x.js", "const apiKey = `@`;"),
    ("x.rs", "let api_key: &str = \"@\";"),
    ("x.go", "var apiKey string = \"@\""),
    ("x.go", "apiKey := \"@\""),
    ("x.scala", "val apiKey: String = \"@\""),
    ("x.swift", "let apiKey = \"@\""),
    ("x.h", "#define API_KEY \"@\""),
    ("x.c", "static const char *api_key = \"@\";"),
    ("x.cpp", "std::string token{\"@\"};"),
    ("x.cpp", "std::string token(\"@\");"),
    ("x.tf", "variable \"api_token\" {\n  type    = string\n  default = \"@\"\n}"),
    ("x.tfvars", "api_token = \"@\""),
    ("x.py", "os.environ[\"API_TOKEN\"] = \"@\""),
    ("x.py", "os.environ.setdefault(\"API_TOKEN\", \"@\")"),
    ("x.py", "os.getenv(\"API_TOKEN\", \"@\")"),
    ("x.js", "process.env.API_TOKEN || \"@\""),
    ("x.rb", "ENV[\"API_TOKEN\"] ||= \"@\""),
    ("x.rb", "ENV.fetch(\"API_TOKEN\", \"@\")"),
    ("Dockerfile", "ENV API_TOKEN=@"),
    ("Dockerfile", "ARG API_TOKEN=@"),
    ("docker-compose.yml", "      - API_TOKEN=@"),
    ("docker-compose.yml", "      API_TOKEN: @"),
    ("deploy.yaml", "- name: API_TOKEN\n  value: \"@\""),
    ("x.sh", "curl -H \"X-Auth-Token: @\" https://api.somewhere.io"),
    ("x.sh", "curl -H \"Authorization: Bearer @\" https://api.somewhere.io"),
    ("x.sh", "http GET api.somewhere.io \"Authorization: Token @\""),
    ("x.py", "headers = {\"Authorization\": \"Bearer @\"}"),
    ("x.js", "headers.set(\"x-api-key\", \"@\")"),
    ("", "GET /v1/things?access_token=@&page=2"),
    ("x.sh", "--api-key @ --verbose"),
    ("x.sh", "--api-key=@"),
    ("", "Api-Key:    @"),
    ("README.md", "| API key | `@` |"),
    ("README.md", "API key: `@`"),
    ("notes.txt", "my api key is @"),
    ("notes.txt", "token @"),
    ("kubeconfig", "    user:\n      token: @"),
    ("web.config", "<add key=\"ApiKey\" value=\"@\" />"),
    ("strings.xml", "<string name=\"api_key\">@</string>"),
    ("Info.plist", "<key>apiKey</key>\n<string>@</string>"),
    ("beans.xml", "<property name=\"token\" value=\"@\"/>"),
    ("p.xml", "<entry key=\"secret-token\">@</entry>"),
    ("postman.json", "{\"key\": \"API_TOKEN\", \"value\": \"@\"}"),
    ("task.json", "{\"name\":\"API_TOKEN\",\"value\":\"@\"}"),
    ("x.sql", "INSERT INTO settings (name, value) VALUES ('api_token', '@');"),
    ("x.sql", "UPDATE users SET api_token = '@' WHERE id = 1;"),
    (".env", "SECRET_KEY_BASE=@"),
    ("x.conf", "auth_token   \"@\""),
    ("x.el", "(setq api-token \"@\")"),
    ("x.edn", "{:api-token \"@\"}"),
    ("x.exs", "config :app, api_token: \"@\""),
    ("x.R", "api_token <- \"@\""),
    ("x.vb", "Const API_TOKEN = \"@\""),
    ("x.py", "api_token = sys.argv[1] if len(sys.argv) > 1 else \"@\""),
    ("x.py", "token: str = Field(default=\"@\")"),
    ("x.py", "self.token = token or \"@\""),
    ("x.py", "parser.add_argument(\"--token\", default=\"@\")"),
    ("x.json5", "secret: { value: \"@\" }"),
    ("min.js", "apiKey:\"@\""),
    ("min.js", "{apiKey:\"@\",x:1}"),
];

/// File and line with a human-chosen password in place of `@@`.
#[rustfmt::skip]
const PASSWORDS: &[(&str, &str)] = &[
    ("application.properties", "spring.datasource.password=@@"),
    ("database.yml", "  password: \"@@\""),
    (".env", "DB_PASSWORD=@@"),
    ("c.toml", "password = \"@@\""),
    ("c.php", "$db_password = '@@';"),
    ("C.java", "String password = \"@@\";"),
    ("settings.xml", "<password>@@</password>"),
    ("x.sql", "CREATE USER app WITH PASSWORD '@@';"),
    ("x.sql", "ALTER USER app IDENTIFIED BY '@@';"),
    ("x.sql", "SET PASSWORD FOR 'app'@'%' = PASSWORD('@@');"),
    ("appsettings.json", "Server=tcp:db.internal;Database=app;User ID=app;Password=@@;Encrypt=True;"),
    ("x.sh", "sshpass -p \"@@\" ssh root@h"),
    ("x.ps1", "$cred = ConvertTo-SecureString '@@' -AsPlainText -Force"),
    ("build.gradle", "keyPassword \"@@\""),
    ("x.py", "username = \"bot\", password = \"@@\""),
    ("x.py", "connect(\"db\", \"app\", password=\"@@\")"),
    ("s.yaml", "apiVersion: v1\nkind: Secret\nstringData:\n  password: @@\n"),
];

/// Kinds with a specific context or form.
#[rustfmt::skip]
const PLACES: &[(&str, &str)] = &[
    ("x.java", "@Value(\"${api.token:«{an32}»}\")"),
    ("x.js", "mongodb+srv://app:«{an14}»@c0.abcde.mongodb.net/app"),
    ("x.py", "redis://:«{an16}»@cache.internal:6379/0"),
    ("x.py", "amqps://app:«{an12}»@mq.internal/vh"),
    ("x.properties", "jdbc:mysql://db.internal/app?user=app&password=«{an12}»"),
    ("x.properties", "jdbc:oracle:thin:app/«{an12}»@//db.internal:1521/orcl"),
    (".git-credentials", "https://deploy:«{an20}»@git.internal/app.git"),
    (".netrc", "machine api.internal login bot password «{an14}»"),
    (".netrc", "machine api.internal\n  login bot\n  password «{an14}»"),
    (".pgpass", "db.internal:5432:app:app:«{an12}»"),
    ("x.sh", "mysql -u root -p«{an12}» app"),
    ("x.sh", "mysqldump --password=«{an12}» app"),
    ("x.sh", "PGPASSWORD=«{an12}» psql -h db"),
    ("x.sh", "docker login -u bot -p «{an16}» registry.internal"),
    ("x.sh", "curl -u admin:«{an12}» https://api.internal"),
    ("x.sh", "wget --user=bot --password=«{an12}» https://x.internal"),
    ("x.py", "ftp://bot:«{an12}»@files.internal/x"),
    ("x.yml", "smtp_password: «{an16}»"),
    ("x.json", "\"smtp\": {\"user\": \"bot\", \"pass\": \"«{an16}»\"}"),
    ("redis.conf", "requirepass «{an24}»"),
    ("ldap.conf", "bindpw «{an14}»"),
    ("x.conf", "ldap_bind_password = «{an14}»"),
    ("hostapd.conf", "wpa_passphrase=«{an14}»"),
    ("wpa_supplicant.conf", "psk=\"«{an14}»\""),
    (".htpasswd", "admin:$2y$10$«{b22}»«{b31}»"),
    ("shadow", "root:$6${an8}$«{b86}»:19000:0:99999:7:::"),
    ("config.json", "{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"«Ym90OnE4WnIyTG1UNXZYYzdCbjQ=»\"}}}"),
    ("", "Authorization: Basic «Ym90OnE4WnIyTG1UNXZYYzdCbjQ=»"),
    (".npmrc", "//registry.internal/:_authToken=«{h8}-{h4}-4{h3}-8{h3}-{h12}»"),
    (".npmrc", "_auth=«Ym90OnE4WnIyTG1UNXZYYzdCbjQ=»"),
    (".yarnrc.yml", "npmAuthToken: \"«{h8}-{h4}-4{h3}-8{h3}-{h12}»\""),
    (".pypirc", "[pypi]\nusername = __token__\npassword = «{an40}»"),
    ("credentials", "[default]\naws_access_key_id = AKIA{t16}\naws_secret_access_key = «{b40}»"),
    ("kubeconfig", "client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b200}»"),
    ("x.json", "machine: { \"password\": \"«{an12}»\" }"),
    ("s.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  password: «cThacjJMbVQ1dlhj»\n"),
    ("", "-----BEGIN RSA PRIV{}ATE KEY-----\n«{b64}»\n{b64}\n{b64}\n-----END RSA PRIV{}ATE KEY-----"),
    ("", "-----BEGIN EC PRIV{}ATE KEY-----\n«{b64}»\n{b64}\n{b64}\n-----END EC PRIV{}ATE KEY-----"),
    ("", "-----BEGIN DSA PRIV{}ATE KEY-----\n«{b64}»\n{b64}\n{b64}\n-----END DSA PRIV{}ATE KEY-----"),
    ("", "-----BEGIN OPENSSH PRIV{}ATE KEY-----\n«{b64}»\n{b64}\n{b64}\n-----END OPENSSH PRIV{}ATE KEY-----"),
    ("", "-----BEGIN ENCRYPTED PRIV{}ATE KEY-----\n«{b64}»\n{b64}\n{b64}\n-----END ENCRYPTED PRIV{}ATE KEY-----"),
    ("", "-----BEGIN PRIV{}ATE KEY-----\n«{b64}»\n{b64}\n{b64}\n-----END PRIV{}ATE KEY-----"),
    ("", "-----BEGIN PGP PRIV{}ATE KEY BLOCK-----\n\n«{b64}»\n{b64}\n=abcd\n-----END PGP PRIV{}ATE KEY BLOCK-----"),
    ("sa.json", "\"private_key\": \"-----BEGIN PRIV{}ATE KEY-----\\n«{b64}»\\n{b64}\\n-----END PRIV{}ATE KEY-----\\n\","),
    (".env", "KEY=\"-----BEGIN RSA PRIV{}ATE KEY-----\\\\n«{b64}»\\\\n-----END RSA PRIV{}ATE KEY-----\""),
    ("", "---- BEGIN SSH2 ENCRYPTED PRIV{}ATE KEY ----\n«{b64}»\n{b64}\n---- END SSH2 ENCRYPTED PRIV{}ATE KEY ----"),
    ("k.ppk", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 2\n{b64}\n{b20}\nPrivate-Lines: 1\n«{b48}»\nPrivate-MAC: {h64}"),
    ("k.xml", "<RSAKeyValue><Modulus>{b172}</Modulus><Exponent>AQAB</Exponent><D>«{b172}»</D></RSAKeyValue>"),
    ("jwk.json", "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"{u43}\",\"d\":\"«{u43}»\"}"),
    ("x.txt", "eyJhbGciOiJIUzI1NiJ9.«{an60}».{b43}"),
    ("x.yml", "postgres://app:«{an10}7x»@db.internal:5432/app"),
    ("x.xml", "<Setting Name=\"ApiToken\" Value=\"«{an32}»\" />"),
    ("x.yml", "docker_auth_config: '{\"auths\": {\"r.internal\": {\"auth\": \"«Ym90OnE4WnIyTG1UNXZYYzdCbjQ=»\"}}}'"),
    ("x.sql", "sqlplus app/«{an12}»@orcl"),
    ("key.txt", "AGE-SECRET-{}KEY-1«{UQ58}»"),
    ("x.sh", "vault login hv{}s.«{an90}»"),
    ("x.py", "requests.get(url, headers={\"Private-Token\": \"«{an24}»\"})"),
    ("x.go", "req.Header.Set(\"Authorization\", \"Bearer «{an40}»\")"),
    ("x.js", "axios.defaults.headers.common['Authorization'] = 'Bearer «{an40}»'"),
    ("x.yml", "webhook: https://hooks.sla{}ck.com/services/«T{UA8}/B{UA8}/{an24}»"),
    ("x.yml", "url: https://discord.com/api/webhooks/«{n18}/{an68}»"),
    ("x.cs", "var credential = new NetworkCredential(\"bot\", \"p{an12}!7\"); // password = \"«{an12}!7»\""),
];

fn is_missed(path: &str, marked: &str) -> Option<String> {
    let secrets: Vec<&str> = marked.split('«').skip(1).filter_map(|part| part.split('»').next()).collect();
    let text = marked.replace(['«', '»'], "");
    let (out, found) = Redactor::builtin().redact(&text, path);
    (found.is_empty() || secrets.iter().any(|secret| out.contains(secret))).then(|| format!("{path}: {text}"))
}

#[test]
fn tokens_are_redacted_in_every_syntax() {
    let cases = SYNTAXES.iter().flat_map(|case| DRAWN.map(|drawn| (case, drawn)));
    let left: Vec<String> = cases
        .flat_map(|((path, text), drawn)| {
            let template = text.replace('@', &format!("«{drawn}»"));
            (1..=3).filter_map(move |seed| is_missed(path, &draw(&template, false, seed)))
        })
        .collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn human_passwords_are_redacted() {
    let cases = PASSWORDS.iter().flat_map(|case| CHOSEN.map(|chosen| (case, chosen)));
    let left: Vec<String> = cases
        .filter_map(|((path, text), chosen)| {
            let (before, after) = text.split_once("@@")?;
            is_missed(path, &format!("{before}«{chosen}»{after}"))
        })
        .collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn other_kinds_are_redacted_in_their_contexts() {
    let left: Vec<String> = PLACES
        .iter()
        .flat_map(|(path, text)| (1..=3).filter_map(move |seed| is_missed(path, &draw(text, false, seed))))
        .collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn lookalikes_are_not_redacted() {
    let mut found = Vec::new();
    for (path, text) in CLEAR {
        for seed in 1..=4 {
            let text = draw(text, false, seed);
            let (out, findings) = Redactor::builtin().redact(&text, path);
            if !findings.is_empty() {
                found.push(format!("{path}: {text} -> {out}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
