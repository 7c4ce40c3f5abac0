//! Evaluation ends, whatever it is given.

use super::check_in;
use crate::express::{check_rules, evaluate};
use crate::sample::model;
use ifc::{Id, Model, SchemaVersion};
use proptest::prelude::*;

#[test]
fn an_aggregate_may_not_be_larger_than_is_allowed() {
    check_in(
        "",
        None,
        "SIZEOF([0 : 1000000000])",
        "the expression cannot be evaluated: it makes an aggregate that is larger than is allowed",
    );
    let huge = "SIZEOF([[0 : 1000] : 1000] + [0 : 1000])";
    check_in("", None, huge, "2000");
}

#[test]
fn work_is_bounded() {
    let nested = "SIZEOF(QUERY(a <* [1 : 1000] | SIZEOF(QUERY(b <* [1 : 1000] | SIZEOF(QUERY(c <* [1 : 1000] | c > 0)) > 0)) > 0))";
    check_in("", None, nested, "the expression cannot be evaluated: it takes more steps than are allowed");
}

#[test]
fn an_expression_may_not_nest_deeper_than_is_allowed() {
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(
        evaluate(&model(SchemaVersion::Ifc4, ""), &deep, None).unwrap_err().to_string().contains("too long")
    );
    let long = format!("1{}", " + 1".repeat(100_000));
    assert!(
        evaluate(&model(SchemaVersion::Ifc4, ""), &long, None).unwrap_err().to_string().contains("too long")
    );
    let signs = format!("{}1", "- ".repeat(100_000));
    assert!(
        evaluate(&model(SchemaVersion::Ifc4, ""), &signs, None).unwrap_err().to_string().contains("too long")
    );
}

#[test]
fn instances_that_refer_in_a_circle_end_with_a_reason() {
    let circle = "#1=IFCBOOLEANRESULT(.UNION.,#2,#2);\n#2=IFCBOOLEANRESULT(.UNION.,#1,#1);";
    let reason = "the expression cannot be evaluated: it nests deeper than is allowed, perhaps because instances refer \
                  to each other in a circle";
    check_in(circle, Some(1), "SELF.Dim", reason);
    check_in(circle, Some(1), "SELF = FirstOperand", reason);
    let findings = check_rules(&model(SchemaVersion::Ifc4, circle));
    assert!(findings.iter().all(|finding| finding.code == crate::FindingCode::NotEvaluated), "{findings:?}");
    assert!(!findings.is_empty());
}

#[test]
fn a_long_chain_that_ends_is_followed() {
    let results = (2..=600).map(|at| format!("#{at}=IFCBOOLEANRESULT(.UNION.,#{},#1);", at - 1));
    let text =
        std::iter::once("#1=IFCSPHERE($,1.);".to_owned()).chain(results).collect::<Vec<_>>().join("\n");
    check_in(&text, Some(600), "SELF.Dim", "3");
}

/// A small model in which much refers to much.
fn web() -> Model {
    model(
        SchemaVersion::Ifc4,
        "#1=IFCCARTESIANPOINT((0.,0.));
        #2=IFCCARTESIANPOINT((1.,0.));
        #3=IFCPOLYLINE((#1,#2,#1));
        #4=IFCWALL('0000000000000000000001',$,'a',$,'b',$,$,$,.USERDEFINED.);
        #5=IFCPROPERTYSINGLEVALUE('x',$,IFCLABEL('y'),$);",
    )
}

proptest! {
    #[test]
    fn any_text_is_an_expression_or_an_error(text in "\\PC{0,80}") {
        let _ = evaluate(&web(), &text, Some(Id(4)));
    }

    #[test]
    fn any_tokens_are_an_expression_or_an_error(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "1", "2.5", "'a'", "?", "TRUE", "UNKNOWN", "SELF", "Name", "PredefinedType", "IfcDirection", "IfcNormalise",
                "QUERY(x <*", "|", "x", "SIZEOF(", "TYPEOF(", "USEDIN(", "EXISTS(", "NVL(", "(", ")", "[", "]", "{", "}",
                ",", ":", ".", "\\", "+", "-", "*", "/", "DIV", "MOD", "AND", "OR", "XOR", "NOT", "=", "<>", "<", "<=",
                ":=:", "IN", "LIKE", "||", "**", "IfcWall", "USERDEFINED", "HasOpenings",
            ]),
            0..24,
        )
    ) {
        let _ = evaluate(&web(), &tokens.join(" "), Some(Id(4)));
    }
}
