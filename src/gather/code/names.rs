//! What a definition is called and, where its node kind alone does not tell, what kind of definition it is.

use tree_sitter::Node;

use super::grammar::Grammar;
use super::grammar_nodes::Fold;
use super::outline::DefinitionKind;

/// Declarators nest: pointers to arrays of functions. Nobody writes more than this.
const DEEPEST_DECLARATOR: usize = 32;

/// The name and kind of the definition that `node` is; none if it turns out not to be one (a destructuring, a mere use).
pub(super) fn named(
    grammar: &Grammar,
    text: &str,
    node: Node<'_>,
    kind: DefinitionKind,
) -> Option<(String, DefinitionKind)> {
    let text_of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("").to_owned();
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "impl_item" => {
            let of_type = text_of(field("type")?);
            let name =
                field("trait").map_or(of_type.clone(), |of_trait| format!("{} for {of_type}", text_of(of_trait)));
            Some((name, kind))
        }
        "variable_declarator" => {
            let name = field("name").or_else(|| node.named_child(0))?;
            let is_function = field("value").is_some_and(|value| grammar.role(value).fold == Fold::Closure);
            name.kind().ends_with("identifier").then(|| (text_of(name), function_if(is_function, kind)))
        }
        "assignment_expression" => {
            let is_function = grammar.role(field("right")?).fold == Fold::Closure;
            is_function.then(|| Some((text_of(field("left")?), DefinitionKind::Function)))?
        }
        "assignment" => {
            let left = field("left")?;
            matches!(left.kind(), "identifier" | "constant").then(|| (text_of(left), kind)).filter(|_| {
                // In Ruby only a constant is a definition; a local variable is not.
                left.kind() == "constant" || grammar.language() != crate::gather::language::Language::Ruby
            })
        }
        "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier" => {
            field("body")?;
            Some((text_of(field("name")?), kind))
        }
        "declaration" | "field_declaration" | "function_definition" | "type_definition"
            if field("declarator").is_some() =>
        {
            let (name, is_function) = declared(field("declarator")?);
            Some((text_of(name), function_if(is_function && kind != DefinitionKind::Type, kind)))
        }
        "declaration" | "field_declaration" => None,
        "operator_declaration" => Some((format!("operator {}", text_of(field("operator")?)), kind)),
        "conversion_operator_declaration" => Some((format!("operator {}", text_of(field("type")?)), kind)),
        "indexer_declaration" => Some(("this".to_owned(), kind)),
        "destructor_declaration" => Some((format!("~{}", text_of(field("name")?)), kind)),
        _ => {
            let name = field("name").or_else(|| field("property")).or_else(|| node.named_child(0))?;
            Some((text_of(name), kind))
        }
    }
}

fn function_if(is_function: bool, kind: DefinitionKind) -> DefinitionKind {
    if is_function { DefinitionKind::Function } else { kind }
}

/// The innermost name of a C declarator, and whether it declares a function.
fn declared(mut node: Node<'_>) -> (Node<'_>, bool) {
    let mut is_function = false;
    for _ in 0..DEEPEST_DECLARATOR {
        is_function |= node.kind() == "function_declarator";
        let inner = node.child_by_field_name("declarator").or_else(|| {
            matches!(node.kind(), "reference_declarator" | "parenthesized_declarator" | "attributed_declarator")
                .then(|| node.named_child(0))
                .flatten()
        });
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    (node, is_function)
}
