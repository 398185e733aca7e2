//! Grammars, and the node names that stand for definitions.

use teddy::outline::language::Language;
use tree_sitter::Node;

/// A grammar with its definition node names.
pub struct Grammar {
    pub language: tree_sitter::Language,
    /// Functions and methods, which are not searched for further definitions.
    pub functions: &'static [&'static str],
    pub types: &'static [&'static str],
    /// Nodes with statements that are not searched.
    pub bodies: &'static [&'static str],
    /// Returns true if a node with one of these names is a definition.
    pub accept: fn(Node<'_>, &str) -> bool,
}

fn any(_: Node<'_>, _: &str) -> bool {
    true
}

/// Returns true if an Elixir call is a definition.
fn is_elixir_definition(node: Node<'_>, text: &str) -> bool {
    let target = node.child_by_field_name("target").map_or("", |target| &text[target.byte_range()]);
    matches!(
        target,
        "def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defguardp" | "defdelegate" | "defmodule" | "defprotocol" | "defimpl" | "test" | "describe"
    )
}

/// Returns true if an HCL block is at the top level of its file.
fn is_top_block(node: Node<'_>, _: &str) -> bool {
    node.parent().and_then(|body| body.parent()).is_some_and(|file| file.kind() == "config_file")
}

/// The grammar of a language, if there is one.
#[rustfmt::skip]
pub fn grammar(language: Language) -> Option<Grammar> {
    let plain = |language: tree_sitter::Language, functions, types| Grammar { language, functions, types, bodies: &[], accept: any };
    Some(match language {
        Language::Rust => plain(tree_sitter_rust::LANGUAGE.into(), &["function_item", "function_signature_item", "macro_definition"],
            &["struct_item", "enum_item", "union_item", "trait_item", "impl_item", "mod_item", "type_item"]),
        Language::Python => plain(tree_sitter_python::LANGUAGE.into(), &["function_definition"], &["class_definition"]),
        Language::JavaScript => Grammar { bodies: &["statement_block"],
            ..plain(tree_sitter_javascript::LANGUAGE.into(), &["function_declaration", "generator_function_declaration", "method_definition"], &["class_declaration"]) },
        Language::TypeScript | Language::Tsx => {
            let grammar = if language == Language::Tsx { tree_sitter_typescript::LANGUAGE_TSX } else { tree_sitter_typescript::LANGUAGE_TYPESCRIPT };
            Grammar { bodies: &["statement_block"], ..plain(grammar.into(), &["function_declaration", "generator_function_declaration", "method_definition", "abstract_method_signature"],
                &["class_declaration", "abstract_class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration", "internal_module"]) }
        }
        Language::Go => plain(tree_sitter_go::LANGUAGE.into(), &["function_declaration", "method_declaration"], &[]),
        Language::Java => plain(tree_sitter_java::LANGUAGE.into(), &["method_declaration", "constructor_declaration", "compact_constructor_declaration"],
            &["class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration"]),
        Language::C => plain(tree_sitter_c::LANGUAGE.into(), &["function_definition"], &[]),
        Language::Cpp => plain(tree_sitter_cpp::LANGUAGE.into(), &["function_definition"], &["namespace_definition"]),
        Language::CSharp => plain(tree_sitter_c_sharp::LANGUAGE.into(), &["method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration"],
            &["class_declaration", "interface_declaration", "struct_declaration", "enum_declaration", "record_declaration", "namespace_declaration", "delegate_declaration"]),
        Language::Ruby => plain(tree_sitter_ruby::LANGUAGE.into(), &["method", "singleton_method"], &["class", "module"]).accepting(is_named),
        Language::Php => plain(tree_sitter_php::LANGUAGE_PHP.into(), &["function_definition", "method_declaration"],
            &["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"]),
        Language::Shell => plain(tree_sitter_bash::LANGUAGE.into(), &["function_definition"], &[]),
        Language::Kotlin => plain(tree_sitter_kotlin_ng::LANGUAGE.into(), &["function_declaration"], &["class_declaration", "object_declaration", "companion_object", "type_alias"]),
        Language::Swift => plain(tree_sitter_swift::LANGUAGE.into(), &["function_declaration", "init_declaration", "deinit_declaration", "protocol_function_declaration", "subscript_declaration"],
            &["class_declaration", "protocol_declaration"]),
        Language::Scala => plain(tree_sitter_scala::LANGUAGE.into(), &["function_definition", "function_declaration"],
            &["class_definition", "object_definition", "trait_definition", "enum_definition", "type_definition"]),
        Language::Dart => plain(tree_sitter_dart::LANGUAGE.into(), &[], &["class_definition", "class_declaration", "mixin_declaration", "extension_declaration", "enum_declaration"]),
        Language::Lua => plain(tree_sitter_lua::LANGUAGE.into(), &["function_declaration"], &[]),
        Language::Zig => plain(tree_sitter_zig::LANGUAGE.into(), &["function_declaration", "test_declaration"], &[]),
        Language::Elixir => plain(tree_sitter_elixir::LANGUAGE.into(), &[], &["call"]).accepting(is_elixir_definition),
        Language::Proto => plain(tree_sitter_proto::LANGUAGE.into(), &["rpc"], &["message", "enum", "service"]),
        Language::Terraform => plain(tree_sitter_hcl::LANGUAGE.into(), &["block"], &[]).accepting(is_top_block),
        _ => return None,
    })
}

/// Skips `class << self`, and keywords, which have the same names as their nodes.
fn is_named(node: Node<'_>, _: &str) -> bool {
    node.is_named()
}

impl Grammar {
    fn accepting(self, accept: fn(Node<'_>, &str) -> bool) -> Self {
        Self { accept, ..self }
    }
}
