//! Tests of languages whose blocks are not in braces.

use crate::outline::language::Language::{self, Python, Ruby, Shell};
use crate::outline::raw_outline::read_outline;

/// `Kind name first-last` for each definition.
fn outline(language: Language, text: &str) -> Vec<String> {
    let outline = read_outline(language, text).unwrap();
    outline.definitions.iter().map(|it| format!("{:?} {} {}-{}", it.kind, it.name, it.first, it.last)).collect()
}

/// Lines that a skeleton omits, 1-based.
fn gaps(language: Language, text: &str) -> Vec<(u32, u32)> {
    let outline = read_outline(language, text).unwrap();
    outline.folds.iter().filter_map(|fold| fold.gap).map(|(first, last)| (first + 1, last + 1)).collect()
}

fn has_errors(language: Language, text: &str) -> bool {
    read_outline(language, text).unwrap().has_errors
}

#[test]
fn python_blocks_end_with_their_last_statement_or_comment() {
    let text = "class A:\n    # nobody's\n    x = 1\n    # of f\n    def f(self):\n        pass\n        # in f\n\n# of b\nb = 2\n";
    assert_eq!(outline(Python, text), ["Type A 1-7", "Property x 3-3", "Method f 4-7", "Constant b 9-10"]);
}

#[test]
fn python_decorators_over_many_lines_lead_a_definition() {
    let text = "# why\n@one(\n    1,\n)\n# between\n@two\nasync def f(): return 1\nclass B: x = 1\n";
    assert_eq!(outline(Python, text), ["Function f 1-7", "Type B 8-8", "Property x 8-8"]);
}

#[test]
fn python_assignments_are_definitions_only_if_they_name_something() {
    let text = "a: int = 1\nb: str\nc = d = 2\ne, f = 1, 2\ng += 1\nh.i = 1\nj[0] = 1\nk == 1\nl(m=1)\nn = 1; o = 2\nif p: q = 1\n";
    let names: Vec<_> = read_outline(Python, text).unwrap().definitions.into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["a", "b", "c", "d", "n", "o", "q"]);
}

#[test]
fn python_brackets_strings_and_backslashes_continue_a_statement() {
    let text = "a = [\n  1,  # )\n]\nb = '''\ndef no(): pass\n'''\nc = 1 + \\\n    2\nd = f\"{x[\"y\"]}\" 'it''s'\ndef f(\n  a=')',\n): pass\n";
    assert_eq!(
        outline(Python, text),
        ["Constant a 1-3", "Constant b 4-6", "Constant c 7-8", "Constant d 9-9", "Function f 10-12"]
    );
}

#[test]
fn python_definitions_in_branches_count_and_variables_in_functions_do_not() {
    let text = "try:\n    import x\nexcept E:\n    x = None\n    def f():\n        y = 1\n        def g():\n            return 2\n";
    assert_eq!(outline(Python, text), ["Constant x 4-4", "Function f 5-8", "Function g 7-8"]);
}

#[test]
fn python_skeletons_keep_docstrings() {
    let text = "def f():\n    'doc'\n    'string'.x()\n    a\n    b\n    # end\n\ndef g():\n    \"\"\"doc\n    \"\"\"\n\ndef h(): a; b\n";
    assert_eq!(gaps(Python, text), [(3, 6)]);
}

#[test]
fn tables_keep_their_first_entries_unless_they_are_arguments() {
    let rows = "    1,\n".repeat(14);
    assert_eq!(gaps(Python, &format!("a = [\n{rows}]\n")), [(5, 15)]);
    assert_eq!(gaps(Python, &format!("a = (\n{rows})\n")), [(5, 15)]);
    assert_eq!(gaps(Python, &format!("a = f([\n{rows}])\n")), []);
    assert_eq!(gaps(Python, &format!("a = f(\n{rows})\n")), []);
    assert_eq!(gaps(Python, &format!("a = [\n{}    for x in y\n]\n", "    1 +\n".repeat(14))), []);
}

#[test]
fn an_unclosed_python_bracket_does_not_hide_later_definitions() {
    let text = "a = f(1,\n\ndef g():\n    return [1\n\nclass H:\n    pass\n";
    let found = outline(Python, text);
    assert!(found.contains(&"Function g 3-4".to_owned()) && found.contains(&"Type H 6-7".to_owned()), "{found:?}");
    for broken in [text, "if x:\n    a\n  b\n", "a = 'b\n", "a = '''b\n", "a = (]\n", "def f():\nx = 1\n"] {
        assert!(has_errors(Python, broken), "{broken}");
    }
    assert!(!has_errors(Python, "if x:\r\n\ta = 1\r\n\r\n        # tab\r\n\tb = {\r\n}\r\n"));
}

#[test]
fn ruby_ends_close_the_block_that_needs_them() {
    let text = "module M\n  class A < B\n    x = if y then 1 else 2 end\n    def f\n      return if z\n      while a do b end\n      begin; c; end while d\n    end\n    def self.g = 3\n    def end; end\n  end\nend\n";
    assert_eq!(
        outline(Ruby, text),
        ["Module M 1-12", "Type A 2-11", "Method f 4-8", "Method g 9-9", "Method end 10-10"]
    );
    assert!(!has_errors(Ruby, text));
}

#[test]
fn ruby_strings_and_comments_are_not_code() {
    let text = "A = \"#{x[\"end\"]} def\"\nB = /\\/ \" #{y}/\nC = %w[if ( do]\nD = ?\" + :\"if\" + :end.to_s\nE = x / 2 # \" if\nF = { if: 1, class: 2 }\n=begin\ndef no\n=end\ndef f(a) = a ? b.class : c\n__END__\ndef no\n";
    let names: Vec<_> = read_outline(Ruby, text).unwrap().definitions.into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["A", "B", "C", "D", "E", "F", "f"]);
    assert!(!has_errors(Ruby, text));
}

#[test]
fn ruby_here_documents_belong_to_their_statement() {
    let text =
        "A = <<~ONE.strip + <<-TWO\n  def no\n  ONE\n  end\n  TWO\nB = [] << A\nclass << self\n  def f; end\nend\n";
    assert_eq!(outline(Ruby, text), ["Constant A 1-5", "Constant B 6-6", "Function f 8-8"]);
}

#[test]
fn ruby_statements_continue_with_a_leading_dot() {
    let text = "A = b\n  # why\n  .c { |x| x }\n  .d\n# of e\nprivate def e(f,\n  g)\n  h\nend\n";
    assert_eq!(outline(Ruby, text), ["Constant A 1-4", "Function e 5-9"]);
}

#[test]
fn ruby_blocks_are_omitted_unless_they_contain_definitions() {
    let body = "    a\n    b\n    c\n";
    let text = format!(
        "describe 'x' do\n  it 'y' do\n{body}  end\n  def f(z) # why\n{body}  end\nend\ntask :x do |t|\n{body}end\n"
    );
    assert_eq!(gaps(Ruby, &text), [(3, 5), (8, 10), (14, 16)]);
    assert_eq!(gaps(Ruby, "run(<<~A) do |x|\n  b\n  A\n  c\n  d\n  e\nend\n"), []);
    assert_eq!(gaps(Ruby, "def f() a\n  b\n  c\n  d\n  e\nend\n"), []);
}

#[test]
fn ruby_tables_keep_their_first_entries_unless_they_are_arguments() {
    let rows = "  a: 1,\n".repeat(14);
    assert_eq!(gaps(Ruby, &format!("A = {{\n{rows}}}.freeze\n")), [(5, 15)]);
    assert_eq!(gaps(Ruby, &format!("a x, {{\n{rows}}}\n")), []);
    assert_eq!(gaps(Ruby, &format!("a({{\n{rows}}})\n")), []);
    assert_eq!(gaps(Ruby, &format!("A = [\n  <<~B,\n{rows}  B\n]\n")), []);
}

#[test]
fn ruby_with_missing_ends_is_read_by_indentation() {
    let text = "class A\n  def f\n    if x\n      y\n  end\n\n  def g\n    z\n  end\nend\n\ndef h\nend\n";
    assert_eq!(outline(Ruby, text), ["Type A 1-10", "Method f 2-5", "Method g 7-9", "Function h 12-13"]);
    assert!(has_errors(Ruby, text));
}

#[test]
fn shell_functions_end_with_their_bracket() {
    let text = "# of f\nf() {\n  case $1 in\n    a) echo \"}\" ;;\n    (b|c) echo ${x:-\"}\"} ;;\n  esac\n  cat <<EOF\n}\nEOF\n}\nfunction g {\n  a; }\nh() (\n  b\n)\ni () { c }\nj()\n# why\n{\n  :\n}\n";
    assert_eq!(
        outline(Shell, text),
        ["Function f 1-10", "Function g 11-12", "Function h 13-15", "Function i 16-16", "Function j 17-21"]
    );
    assert_eq!(gaps(Shell, text), [(3, 9)]);
    assert!(!has_errors(Shell, text));
}

#[test]
fn shell_variables_count_outside_of_functions_and_not_for_one_command() {
    let text = "A=1\nB=2 env\nexport C=\"x\ny\" D\nif e; then F=$(g <<X\n)\nX\n); fi\nh() { I=1; }\nalias j=k\nwhile IFS= read -r l; do :; done\nM+=(a b)\n";
    assert_eq!(
        outline(Shell, text),
        ["Constant A 1-1", "Constant C 3-4", "Constant F 5-8", "Function h 9-9", "Constant M 12-12"]
    );
}

#[test]
fn shell_quotes_and_arithmetic_are_not_code() {
    let text = "a='f() {'\nb=\"$(echo \"}\" '\"')\"\n(( c << 2 )) && d=$((1 << 2))\n[[ $e =~ ^(a|b) ]] || f=$'\\''\necho ${#g} $# it\\'s # '\nh() { :; }\n";
    assert!(!has_errors(Shell, text));
    assert!(outline(Shell, text).contains(&"Function h 6-6".to_owned()));
}

#[test]
fn shell_lists_keep_their_first_words() {
    let text = format!("A=(\n{})\n", "  one\n".repeat(14));
    assert_eq!(gaps(Shell, &text), [(5, 15)]);
}

#[test]
fn shell_with_unclosed_quotes_is_read_by_indentation() {
    let text = "f() {\n  echo \"a\n}\n\ng() {\n  b\n}\n";
    assert_eq!(outline(Shell, text), ["Function f 1-3", "Function g 5-7"]);
    assert!(has_errors(Shell, text));
}

#[test]
fn hostile_text_neither_panics_nor_takes_quadratic_time() {
    let units = [
        "(", "[\n", "{", "\"", "'", "f\"{", "\"#{", "<<A\n", "$(", "${", "f() {\n", "if x\n", "case x in\n",
        "def f(\n", "é\\", "?é",
    ];
    for language in [Python, Ruby, Shell] {
        for unit in units {
            let text = unit.repeat(100_000 / unit.len());
            assert!(read_outline(language, &text).is_some());
            assert!(read_outline(language, &(text + &")]}".repeat(10_000))).is_some());
        }
    }
}

#[test]
fn unclosed_constructs_are_read_up_to_a_limit() {
    for (language, open) in [(Ruby, "{"), (Ruby, "if a\n"), (Shell, "a() {\n"), (Shell, "$(")] {
        let text = format!("FIRST=1\n{}", open.repeat(100_000));
        let outline = read_outline(language, &text).unwrap();
        assert!(outline.has_errors && outline.definitions.len() < 5_000, "{language:?} {open}");
    }
}
