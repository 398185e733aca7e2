//! Which node kinds of which grammar are definitions, bodies, literals and comments.

use super::outline::DefinitionKind::{self, Constant, Function, Implementation, Macro, Method, Module, Property, Type};
use crate::gather::language::Language;

/// What the skeleton does with a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Fold {
    #[default]
    Never,
    /// A function with a name: its body goes.
    Function,
    /// A function without one: its body goes too, unless it is only the frame around other functions.
    Closure,
    /// A table of data: all but its first lines go when it is long.
    Literal,
}

/// What a node says about the sibling that follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Lead {
    #[default]
    None,
    Comment,
    Attribute,
}

/// Whether what stands before a node belongs to the definition inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wrapper {
    #[default]
    No,
    /// `export`, decorators, `template <…>`.
    Always,
    /// Declarations that may hold a list: only the definition that starts on the same row is led by what stands before.
    SameRow,
}

/// Everything that a node kind means.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Role {
    pub(super) fold: Fold,
    pub(super) lead: Lead,
    pub(super) wrapper: Wrapper,
    pub(super) definition: Option<DefinitionKind>,
}

/// The node kinds of one grammar, by meaning.
pub(super) struct NodeTable {
    pub(super) functions: &'static [&'static str],
    pub(super) closures: &'static [&'static str],
    /// What a function's body must be so that it can be emptied.
    pub(super) blocks: &'static [&'static str],
    pub(super) literals: &'static [&'static str],
    pub(super) comments: &'static [&'static str],
    pub(super) attributes: &'static [&'static str],
    pub(super) wrappers: &'static [&'static str],
    pub(super) declarations: &'static [&'static str],
    pub(super) definitions: &'static [(&'static str, DefinitionKind)],
}

impl NodeTable {
    /// What `kind` means in this grammar.
    pub(super) fn role(&self, kind: &str) -> Role {
        let fold = if self.functions.contains(&kind) {
            Fold::Function
        } else if self.closures.contains(&kind) {
            Fold::Closure
        } else if self.literals.contains(&kind) {
            Fold::Literal
        } else {
            Fold::Never
        };
        let lead = if self.comments.contains(&kind) {
            Lead::Comment
        } else if self.attributes.contains(&kind) {
            Lead::Attribute
        } else {
            Lead::None
        };
        let wrapper = if self.wrappers.contains(&kind) {
            Wrapper::Always
        } else if self.declarations.contains(&kind) {
            Wrapper::SameRow
        } else {
            Wrapper::No
        };
        let definition = self.definitions.iter().find(|(name, _)| *name == kind).map(|(_, definition)| *definition);
        Role { fold, lead, wrapper, definition }
    }
}

const NOTHING: NodeTable = NodeTable {
    functions: &[],
    closures: &[],
    blocks: &[],
    literals: &[],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    declarations: &[],
    definitions: &[],
};

/// The table of a language that has a grammar.
pub(super) fn table(language: Language) -> &'static NodeTable {
    match language {
        Language::Rust => &RUST,
        Language::Python => &PYTHON,
        Language::JavaScript => &JAVASCRIPT,
        Language::TypeScript | Language::Tsx => &TYPESCRIPT,
        Language::Go => &GO,
        Language::Java => &JAVA,
        Language::C => &C,
        Language::Cpp => &CPP,
        Language::Ruby => &RUBY,
        Language::Php => &PHP,
        Language::CSharp => &CSHARP,
        Language::Shell => &SHELL,
        _ => &NOTHING,
    }
}

const RUST: NodeTable = NodeTable {
    functions: &["function_item", "macro_rule"],
    closures: &["closure_expression"],
    blocks: &["block", "token_tree"],
    literals: &["array_expression"],
    comments: &["line_comment", "block_comment"],
    attributes: &["attribute_item"],
    definitions: &[
        ("function_item", Function),
        ("function_signature_item", Function),
        ("struct_item", Type),
        ("enum_item", Type),
        ("union_item", Type),
        ("trait_item", Type),
        ("type_item", Type),
        ("associated_type", Type),
        ("impl_item", Implementation),
        ("mod_item", Module),
        ("const_item", Constant),
        ("static_item", Constant),
        ("macro_definition", Macro),
    ],
    ..NOTHING
};

const PYTHON: NodeTable = NodeTable {
    functions: &["function_definition"],
    blocks: &["block"],
    literals: &["list", "dictionary", "set", "tuple"],
    wrappers: &["decorated_definition"],
    declarations: &["expression_statement"],
    definitions: &[
        ("function_definition", Function),
        ("class_definition", Type),
        ("type_alias_statement", Type),
        ("assignment", Constant),
    ],
    ..NOTHING
};

const JAVASCRIPT: NodeTable = NodeTable {
    functions: &["function_declaration", "generator_function_declaration", "method_definition", "class_static_block"],
    closures: &["arrow_function", "function_expression", "generator_function"],
    blocks: &["statement_block"],
    literals: &["array", "object"],
    attributes: &["decorator"],
    wrappers: &["export_statement"],
    declarations: &["lexical_declaration", "variable_declaration", "expression_statement"],
    definitions: &[
        ("function_declaration", Function),
        ("generator_function_declaration", Function),
        ("class_declaration", Type),
        ("method_definition", Method),
        ("field_definition", Property),
        ("variable_declarator", Constant),
        ("assignment_expression", Constant),
    ],
    ..NOTHING
};

const TYPESCRIPT: NodeTable = NodeTable {
    wrappers: &["export_statement", "ambient_declaration"],
    definitions: &[
        ("function_declaration", Function),
        ("generator_function_declaration", Function),
        ("function_signature", Function),
        ("class_declaration", Type),
        ("abstract_class_declaration", Type),
        ("interface_declaration", Type),
        ("enum_declaration", Type),
        ("type_alias_declaration", Type),
        ("internal_module", Module),
        ("module", Module),
        ("method_definition", Method),
        ("method_signature", Method),
        ("abstract_method_signature", Method),
        ("public_field_definition", Property),
        ("variable_declarator", Constant),
        ("assignment_expression", Constant),
    ],
    ..JAVASCRIPT
};

const GO: NodeTable = NodeTable {
    functions: &["function_declaration", "method_declaration"],
    closures: &["func_literal"],
    blocks: &["block"],
    literals: &["literal_value"],
    declarations: &["type_declaration", "const_declaration", "var_declaration"],
    definitions: &[
        ("function_declaration", Function),
        ("method_declaration", Method),
        ("type_spec", Type),
        ("type_alias", Type),
        ("const_spec", Constant),
        ("var_spec", Constant),
    ],
    ..NOTHING
};

const JAVA: NodeTable = NodeTable {
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "static_initializer",
    ],
    closures: &["lambda_expression"],
    blocks: &["block", "constructor_body"],
    literals: &["array_initializer"],
    comments: &["line_comment", "block_comment"],
    declarations: &["field_declaration", "constant_declaration"],
    definitions: &[
        ("class_declaration", Type),
        ("interface_declaration", Type),
        ("enum_declaration", Type),
        ("record_declaration", Type),
        ("annotation_type_declaration", Type),
        ("method_declaration", Method),
        ("constructor_declaration", Method),
        ("compact_constructor_declaration", Method),
        ("variable_declarator", Property),
        ("module_declaration", Module),
    ],
    ..NOTHING
};

const C: NodeTable = NodeTable {
    functions: &["function_definition"],
    blocks: &["compound_statement"],
    literals: &["initializer_list"],
    declarations: &["type_definition"],
    definitions: &[
        ("function_definition", Function),
        ("declaration", Constant),
        ("struct_specifier", Type),
        ("union_specifier", Type),
        ("enum_specifier", Type),
        ("type_definition", Type),
        ("preproc_def", Macro),
        ("preproc_function_def", Macro),
    ],
    ..NOTHING
};

const CPP: NodeTable = NodeTable {
    closures: &["lambda_expression"],
    wrappers: &["template_declaration"],
    definitions: &[
        ("function_definition", Function),
        ("declaration", Constant),
        ("field_declaration", Property),
        ("class_specifier", Type),
        ("struct_specifier", Type),
        ("union_specifier", Type),
        ("enum_specifier", Type),
        ("type_definition", Type),
        ("alias_declaration", Type),
        ("concept_definition", Type),
        ("namespace_definition", Module),
        ("preproc_def", Macro),
        ("preproc_function_def", Macro),
    ],
    ..C
};

const RUBY: NodeTable = NodeTable {
    functions: &["method", "singleton_method"],
    closures: &["do_block", "block"],
    blocks: &["method", "singleton_method", "do_block", "block"],
    literals: &["array", "hash"],
    definitions: &[
        ("method", Function),
        ("singleton_method", Function),
        ("class", Type),
        ("module", Module),
        ("assignment", Constant),
    ],
    ..NOTHING
};

const PHP: NodeTable = NodeTable {
    functions: &["function_definition", "method_declaration", "property_hook"],
    closures: &["anonymous_function"],
    blocks: &["compound_statement"],
    literals: &["array_creation_expression"],
    declarations: &["const_declaration", "property_declaration"],
    definitions: &[
        ("function_definition", Function),
        ("method_declaration", Method),
        ("class_declaration", Type),
        ("interface_declaration", Type),
        ("trait_declaration", Type),
        ("enum_declaration", Type),
        ("namespace_definition", Module),
        ("const_element", Constant),
        ("property_element", Property),
    ],
    ..NOTHING
};

const CSHARP: NodeTable = NodeTable {
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "destructor_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
        "local_function_statement",
        "accessor_declaration",
    ],
    closures: &["lambda_expression", "anonymous_method_expression"],
    blocks: &["block"],
    literals: &["initializer_expression"],
    declarations: &["field_declaration", "event_field_declaration", "variable_declaration"],
    definitions: &[
        ("method_declaration", Method),
        ("constructor_declaration", Method),
        ("destructor_declaration", Method),
        ("operator_declaration", Method),
        ("conversion_operator_declaration", Method),
        ("local_function_statement", Function),
        ("property_declaration", Property),
        ("indexer_declaration", Property),
        ("event_declaration", Property),
        ("variable_declarator", Property),
        ("class_declaration", Type),
        ("struct_declaration", Type),
        ("record_declaration", Type),
        ("interface_declaration", Type),
        ("enum_declaration", Type),
        ("delegate_declaration", Type),
        ("namespace_declaration", Module),
        ("file_scoped_namespace_declaration", Module),
    ],
    ..NOTHING
};

const SHELL: NodeTable = NodeTable {
    functions: &["function_definition"],
    blocks: &["compound_statement", "subshell"],
    literals: &["array"],
    definitions: &[("function_definition", Function), ("variable_assignment", Constant)],
    declarations: &["declaration_command"],
    ..NOTHING
};
