//! Words that are too common in requests to name a file: verbs, and nouns that occur in every program.

/// Returns true if a plain lower-case word is too common to name a file or definition.
pub fn is_common(word: &str) -> bool {
    COMMON.contains(&word) || is_request(word)
}

/// Returns true if a word in lower case asks for a change: `add`, `make`.
pub fn is_request(word: &str) -> bool {
    REQUESTS.contains(&word)
}

/// Verbs at the start of requests.
const REQUESTS: [&str; 56] = [
    "accept", "add", "adjust", "allow", "avoid", "change", "check", "clean", "convert", "create", "deprecate",
    "detect", "disable", "disallow", "document", "drop", "enable", "ensure", "expose", "extend", "extract", "fix",
    "forbid", "handle", "ignore", "implement", "improve", "include", "increase", "introduce", "keep", "let", "make",
    "move", "optimize", "preserve", "prevent", "provide", "raise", "reduce", "refactor", "remove", "rename", "replace",
    "respect", "restore", "return", "rewrite", "show", "simplify", "skip", "stop", "support", "update", "use", "warn",
];

/// All other common words.
const COMMON: [&str; 301] = [
    "abort", "access", "action", "actions", "active", "added", "after", "again", "align", "all", "any", "append",
    "apply", "arg", "args", "array", "async", "attribute", "available", "basic", "before", "begin", "block", "body",
    "bool", "break", "build", "call", "cancel", "case", "changed", "changes", "char", "child", "children", "class",
    "clear", "clone", "close", "cmd", "code", "collect", "color", "column", "command", "commands", "compare",
    "component", "content", "context", "copy", "count", "current", "custom", "data", "date", "debug", "default",
    "define", "delete", "description", "detail", "details", "directory", "display", "each", "element", "empty", "end",
    "entry", "env", "equal", "error", "event", "events", "example", "exception", "execute", "exists", "exit",
    "expected", "export", "fail", "failed", "failure", "false", "feature", "field", "fields", "file", "files", "find",
    "finish", "first", "flag", "flags", "format", "from", "function", "generate", "get", "global", "group", "handler",
    "header", "help", "hide", "host", "import", "index", "info", "init", "inner", "input", "insert", "instance", "int",
    "internal", "invalid", "item", "items", "join", "just", "key", "keys", "kind", "label", "last", "length", "level",
    "lifecycle", "line", "lines", "link", "list", "load", "local", "log", "logs", "main", "many", "map", "match",
    "message", "method", "missing", "mode", "module", "more", "name", "named", "names", "new", "next", "node", "none",
    "not", "null", "number", "obj", "object", "old", "open", "option", "options", "order", "outer", "output", "page",
    "param", "parameter", "params", "parent", "parse", "pass", "path", "paths", "pattern", "place", "plain", "point",
    "position", "prefix", "present", "primary", "print", "private", "process", "project", "property", "public",
    "range", "read", "reason", "record", "reference", "release", "render", "report", "req", "request", "required",
    "res", "reset", "resolve", "response", "rest", "result", "results", "returns", "right", "root", "rule", "rules",
    "run", "same", "save", "search", "section", "select", "self", "send", "sequence", "set", "setting", "settings",
    "setup", "shared", "should", "simple", "single", "size", "sort", "source", "spec", "split", "stack", "start",
    "started", "stat", "state", "static", "status", "step", "store", "str", "string", "strip", "style", "subject",
    "suffix", "symbol", "system", "table", "target", "task", "temp", "test", "tests", "text", "that", "their", "them",
    "then", "this", "time", "title", "tmp", "total", "track", "true", "type", "types", "under", "unique", "unit",
    "upper", "url", "usage", "user", "users", "valid", "validate", "value", "values", "variable", "version", "view",
    "views", "wait", "warning", "when", "which", "width", "will", "with", "within", "work", "wrap", "wrapper", "write",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_name_no_files() {
        for word in ["add", "make", "use", "support", "under", "inner", "command", "return", "option"] {
            assert!(is_common(word), "{word}");
        }
        for word in ["migrate", "broadcast", "refund", "queryset", "bulk_create"] {
            assert!(!is_common(word), "{word}");
        }
        assert!(is_request("add") && !is_request("migrate"));
    }
}
