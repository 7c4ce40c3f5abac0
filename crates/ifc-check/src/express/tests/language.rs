//! Expressions and the values that ISO 10303-11 gives them, by its clauses. A value is shown as a file would have it;
//! `$` is the indeterminate value.

use super::check_in;

/// The value of an expression that speaks of no instance.
fn check(text: &str, expected: &str) {
    check_in("", None, text, expected);
}

#[test]
fn literals_are_read_as_clause_7_5_has_them() {
    check("12", "12");
    check("1.", "1.");
    check("1.5E-3", "0.0015");
    check("'it''s'", "'it''s'");
    check("\"0000004100000042\"", "'AB'");
    check("%10011", "\"313\"");
    check("TRUE", ".T.");
    check("unknown", ".U.");
    check("?", "$");
    check("PI > 3.14", ".T.");
    check("(* a comment *) 1 -- and another\n + 1", "2");
    check("99999999999999999999", "1.E+20");
}

#[test]
fn arithmetic_of_12_1() {
    check("7 / 2", "3.5");
    check("7 DIV 2", "3");
    check("-7 DIV 2", "-3");
    check("7 MOD 3", "1");
    check("-7 MOD 3", "2");
    check("7 MOD -3", "-2");
    check("7.9 DIV 2.1", "3");
    check("2 ** 10", "1024");
    check("2 ** -1", "0.5");
    check("2.0 ** 0.5 > 1.414", ".T.");
    check("1 + 2 * 3 - 4", "3");
    check("-2 ** 2", "4"); // a sign binds tighter than any operator (12, table 8)
    check("1 / 0", "$");
    check("1 DIV 0", "$");
    check("1 MOD 0", "$");
    check("9223372036854775807 + 1", "$");
    check("1 + ?", "$");
    check("-?", "$");
    check("1 + 'a'", "$");
}

#[test]
fn comparisons_by_value_of_12_2_1() {
    check("1 = 1.0", ".T.");
    check("1 < 2.5", ".T.");
    check("'a' < 'b'", ".T.");
    check("'a' = 'A'", ".F.");
    check("FALSE < UNKNOWN", ".T.");
    check("UNKNOWN = UNKNOWN", ".T.");
    check("? = ?", ".U.");
    check("1 > ?", ".U.");
    check("%101 = %101", ".T.");
    check("[1, 2] = [1, 2]", ".T.");
    check("[1, 2] = [2, 1]", ".F.");
    check("[1, ?] = [1, 2]", ".U.");
    check("[1, ?] = [2, 2]", ".F.");
    check("IfcDirection([1., 0.]) = IfcDirection([1., 0.])", ".T.");
    check("IfcDirection([1., 0.]) = IfcDirection([0., 1.])", ".F.");
    check("IfcDirection([1., 0.]) :=: IfcDirection([1., 0.])", ".F.");
    check("IfcSlabTypeEnum.FLOOR < IfcSlabTypeEnum.ROOF", ".T.");
    check("IfcUnitEnum.LENGTHUNIT = LENGTHUNIT", ".T.");
}

#[test]
fn intervals_of_12_2_4() {
    check("{1 <= 2 < 3}", ".T.");
    check("{1 <= 3 < 3}", ".F.");
    check("{1 < ? < 3}", ".U.");
    check("{5 < ? < 3}", ".U.");
    check("NOT({1 <= 40 <= 31})", ".T.");
}

#[test]
fn membership_of_12_2_3() {
    check("2 IN [1, 2, 3]", ".T.");
    check("4 IN [1, 2, 3]", ".F.");
    check("4 IN [1, ?, 3]", ".U.");
    check("? IN [1, 2]", ".U.");
    check("1 IN ?", ".U.");
    check("'b' IN ['a', 'b']", ".T.");
    check("'B' IN ['a', 'b']", ".F.");
}

#[test]
fn patterns_of_12_2_5() {
    check("'Wall 12' LIKE 'Wall ##'", ".T.");
    check("'Wall 1x' LIKE 'Wall ##'", ".F.");
    check("'Wall' LIKE '^@@@'", ".T.");
    check("'wall' LIKE '^@@@'", ".F.");
    check("'a long text' LIKE 'a*text'", ".T.");
    check("'a long text' LIKE 'a&'", ".T.");
    check("'one two' LIKE '$ two'", ".T.");
    check("'a*b' LIKE 'a\\*b'", ".T.");
    check("'axb' LIKE 'a\\*b'", ".F.");
    check("'abc' LIKE 'a!bc'", ".F.");
    check("'axc' LIKE 'a!bc'", ".T.");
    check("'abc' LIKE '??'", ".F.");
    check("? LIKE 'a'", ".U.");
}

#[test]
fn logic_of_12_4() {
    let words = ["FALSE", "UNKNOWN", "TRUE"];
    let signs = [".F.", ".U.", ".T."];
    for a in 0..3 {
        check(&format!("NOT {}", words[a]), signs[2 - a]);
        for b in 0..3 {
            check(&format!("{} AND {}", words[a], words[b]), signs[a.min(b)]);
            check(&format!("{} OR {}", words[a], words[b]), signs[a.max(b)]);
            let xor = if a == 1 || b == 1 { ".U." } else { [".F.", ".T."][usize::from(a != b)] };
            check(&format!("{} XOR {}", words[a], words[b]), xor);
        }
    }
    check("TRUE AND ?", ".U.");
    check("FALSE AND ?", ".F.");
    check("NOT ?", ".U.");
    // AND binds like a product and OR like a sum, both tighter than a comparison (12, table 8)
    check("TRUE OR FALSE AND FALSE", ".T.");
    check("TRUE = FALSE OR TRUE", ".T.");
}

#[test]
fn strings_of_12_5_and_binaries_of_12_3() {
    check("'a' + 'b'", "'ab'");
    check("'abcd'[2]", "'b'");
    check("'abcd'[2:3]", "'bc'");
    check("'abcd'[4:5]", "$");
    check("'abcd'[0]", "$");
    check("%1010[1]", "\"31\"");
    check("%1010[2:3]", "\"21\"");
    check("%10 + %1", "\"15\"");
    check("BLENGTH(%10011)", "5");
}

#[test]
fn aggregates_of_12_6() {
    check("[3, 1, 2][2]", "1");
    check("[3, 1, 2][4]", "$");
    check("[3, 1, 2][0]", "$");
    check("[3, 1][?]", "$");
    check("[0.0 : 3]", "(0.,0.,0.)");
    check("[1, 2 : 2, 3]", "(1,2,2,3)");
    check("[1 : -1]", "$");
    check("[]", "()");
    check("[1, 2] + 3", "(1,2,3)");
    check("0 + [1]", "(0,1)");
    check("[1, 2] + [2, 3]", "(1,2,2,3)");
    check("[1, 2, 3] * [2, 3, 4]", "(2,3)");
    check("[1, 2, 3] - [2]", "(1,3)");
    check("[1, 2] <= [2, 1, 3]", ".T.");
    check("[1, 4] <= [2, 1, 3]", ".F.");
    check("[2, 1, 3] >= [1]", ".T.");
    check("? + [1]", "$");
    check("SIZEOF([1, 2, 3])", "3");
    check("SIZEOF(?)", "$");
    check("HIINDEX([1, 2, 3])", "3");
    check("LOINDEX([1, 2, 3])", "1");
    check("HIBOUND([1, 2])", "$");
    check("LOBOUND([1, 2])", "0");
    check("HIBOUND(IfcListToArray([5, 6, 7], 0, 2))", "2");
}

#[test]
fn queries_of_12_6_7() {
    check("QUERY(x <* [1, 2, 3] | x > 1)", "(2,3)");
    check("QUERY(x <* [1, ?, 3] | x > 1)", "(3)");
    check("QUERY(x <* ? | TRUE)", "$");
    check("QUERY(x <* [1, 2] | SIZEOF(QUERY(y <* [1, 2, 3] | y > x)) = 1)", "(2)");
    check("SIZEOF(QUERY(X <* [1, 2] | x = 2))", "1");
}

#[test]
fn functions_of_clause_15() {
    check("ABS(-3)", "3");
    check("ABS(-3.5)", "3.5");
    check("SQRT(16.)", "4.");
    check("SQRT(-1.)", "$");
    check("EXP(0)", "1.");
    check("LOG(CONST_E)", "1.");
    check("LOG2(8)", "3.");
    check("LOG10(1000)", "3.");
    check("LOG(0)", "$");
    check("SIN(0) + COS(0) + TAN(0)", "1.");
    check("ASIN(0) + ACOS(1) + ATAN(0)", "0.");
    check("ATAN(1, 1) = PI / 4", ".T.");
    check("ATAN(0, 0)", "$");
    check("ODD(3)", ".T.");
    check("ODD(-4)", ".F.");
    check("ODD(?)", ".U.");
    check("LENGTH('äbc')", "3");
    check("EXISTS(1)", ".T.");
    check("EXISTS(?)", ".F.");
    check("NVL(?, 5)", "5");
    check("NVL(4, 5)", "4");
    check("VALUE('12')", "12");
    check("VALUE('1.5')", "1.5");
    check("VALUE('abc')", "$");
    check("VALUE_IN([1, 2], 2.0)", ".T.");
    check("VALUE_IN([1, ?], 2)", ".U.");
    check("VALUE_UNIQUE([1, 2, 3])", ".T.");
    check("VALUE_UNIQUE([1, 2, 1])", ".F.");
    check("VALUE_UNIQUE([1, ?])", ".U.");
    check("FORMAT(12, '+5I')", "'  +12'");
    check("FORMAT(3.14159, '8.2F')", "'    3.14'");
    check("FORMAT(-3.14159, '08.2F')", "'-0003.14'");
}

#[test]
fn typeof_of_15_25_names_what_a_value_is() {
    check("TYPEOF(?)", "()");
    check("TYPEOF(1)", "('INTEGER')");
    check("'NUMBER' IN TYPEOF(1)", ".T.");
    check("TYPEOF([1])", "('LIST')");
    check("'IFC4.IFCDIRECTION' IN TYPEOF(IfcDirection([1., 0.]))", ".T.");
    check("'IFC4.IFCREPRESENTATIONITEM' IN TYPEOF(IfcDirection([1., 0.]))", ".T.");
    check("'IFC4.IFCVECTORORDIRECTION' IN TYPEOF(IfcDirection([1., 0.]))", ".T.");
    check("'IFC4.IFCVECTOR' IN TYPEOF(IfcDirection([1., 0.]))", ".F.");
    check("'IFC2X3.IFCDIRECTION' IN TYPEOF(IfcDirection([1., 0.]))", ".F.");
    check("SIZEOF(TYPEOF(IfcDirection([1., 0.])) * ['IFC4.IFCDIRECTION', 'IFC4.IFCVECTOR'])", "1");
    check("TYPEOF(IfcDirection([1., 0.])) = TYPEOF(IfcDirection([0., 1., 0.]))", ".T.");
    check("TYPEOF(IfcDirection([1.])) :<>: TYPEOF(IfcVector(IfcDirection([1.]), 1.))", ".T.");
}

#[test]
fn instances_are_made_and_joined_as_9_2_6_and_12_10_have_it() {
    check("IfcDirection([3., 4.]).DirectionRatios[2]", "4.");
    check("IfcDirection([3., 4.]).Dim", "2");
    check(
        "(IfcRepresentationItem() || IfcGeometricRepresentationItem() || IfcDirection([0., 0., 1.])).Dim",
        "3",
    );
    check("IfcDirection([1.])\\IfcVector.Magnitude", "$");
    check("IfcDirection([1.])\\IfcGeometricRepresentationItem.Dim", "1");
    check("IfcVector(IfcDirection([0., 2.]), 5).Magnitude", "5.");
    check("IfcNormalise(IfcDirection([3., 4.])).DirectionRatios", "(0.6,0.8)");
    check(
        "IfcCrossProduct(IfcDirection([1., 0., 0.]), IfcDirection([0., 1., 0.])).Orientation.DirectionRatios",
        "(0.,0.,1.)",
    );
    check("IfcDotProduct(IfcDirection([1., 0.]), IfcDirection([0., 1.]))", "0.");
    check("IfcBuildAxes(?, ?)[3].DirectionRatios", "(0.,0.,1.)");
    check("IfcBaseAxis(2, ?, ?, ?)[2].DirectionRatios", "(0.,1.)");
    check("HIINDEX(IfcListToArray([5, 6, 7], 0, 2))", "2");
    check("IfcListToArray([5, 6, 7], 0, 2)[0]", "5");
    check("IfcMakeArrayOfArray([[1, 2], [3, 4]], 0, 1, 0, 1)[1][0]", "3");
}

#[test]
fn parameters_are_copies_so_that_a_function_changes_nothing_of_its_caller() {
    // IfcScalarTimesVector turns the direction that it is given where the scalar is negative
    let text = "SIZEOF(QUERY(d <* [IfcDirection([1., 0.])] | (IfcScalarTimesVector(-2., d).Orientation.DirectionRatios \
                = [-1., 0.]) AND (d.DirectionRatios = [1., 0.])))";
    check(text, "1");
}

#[test]
fn what_is_no_expression_is_refused_with_its_place() {
    check("", "at byte 0: an expression is due here");
    check("1 +", "at byte 3: an expression is due here");
    check("(1", "at byte 2: ) is due here");
    check("1 2", "at byte 2: nothing more is due here");
    check("'a", "at byte 0: a string is not closed");
    check("Nonsense", "at byte 0: Nonsense stands for nothing here");
    check("SELF.Nonsense", "at byte 13: no entity has an attribute Nonsense");
    check("SELF\\IfcNonsense.Name", "at byte 16: the schema has no entity IfcNonsense");
    check("IfcSlabTypeEnum.NONSENSE", "at byte 24: IfcSlabTypeEnum has no item NONSENSE");
    check("SIZEOF(1, 2)", "at byte 12: SIZEOF has 1 to 1 arguments");
    check("IfcNormalise()", "at byte 14: IfcNormalise has 1 parameters");
    check("IfcDirection(1, 2)", "at byte 18: IfcDirection itself has 1 attributes");
    check("1 € 2", "at byte 2: '€' has no meaning in EXPRESS");
}
