//! What goes over the bridge: values, calls, elements, exceptions, the time.

use super::*;

#[test]
fn the_last_expression_is_the_value_and_what_is_printed_is_kept() {
    let ran = ran("print('a', 2)\nprint('b', end='')\n1 + 1");
    assert_eq!((ran.value, ran.printed.as_str(), ran.calls), (json!(2), "a 2\nb", 0));
    assert_eq!(value("x = 3"), Value::Null);
    assert_eq!(
        value("{'a': [1, 2.5, None, True], 'b': ('x', {3})}"),
        json!({"a": [1, 2.5, null, true], "b": ["x", [3]]})
    );
    assert_eq!(value("{1: 'a'}"), json!({"1": "a"}));
}

#[test]
fn calls_get_their_arguments_by_name_and_in_order_and_answer_dicts() {
    let (outcome, kept) =
        try_with("r = adapter.keep([1, 2], name='n', point=(0.5, -1))\nr['kept'] + r['half']", &small());
    assert_eq!(outcome.unwrap().value, json!(1.5));
    assert_eq!(kept, [json!([[[1, 2]], {"name": "n", "point": [0.5, -1]}])]);
    // as plain functions, and by another name
    let (outcome, kept) = try_with("keep(1)\nf = adapter.keep\nf(2)", &small());
    assert_eq!((outcome.unwrap().calls, kept.len()), (2, 2));
}

#[test]
fn elements_are_read_when_they_are_asked_and_stand_for_their_ids() {
    assert_eq!(
        value("[e.id + e.ifc_class + str(e.number) for e in adapter.elements()]"),
        json!(["id-3IfcWall3", "id-7IfcWall7"])
    );
    assert_eq!(value("e = elements()[0]\ne.next.next.double()"), 10);
    assert_eq!(value("adapter.elements()"), json!(["id-3", "id-7"]));
    let (outcome, kept) = try_with("adapter.keep(wall=adapter.elements()[1])", &small());
    outcome.unwrap();
    assert_eq!(kept, [json!([[], {"wall": "id-7"}])]);
    assert_eq!(
        value("e = elements()[0]\n[hasattr(e, 'number'), hasattr(e, 'nothing'), getattr(e, 'nothing', 4)]"),
        json!([true, false, 4])
    );
    assert_eq!(value("elements()[0] == elements()[0]"), true);
}

#[test]
fn what_is_refused_is_an_exception_that_may_be_caught_with_its_message_and_code() {
    let code = "try:\n    adapter.fail()\nexcept LookupError as e:\n    said = str(e)\nsaid";
    let said = value(code);
    assert!(said.as_str().unwrap().contains("id x") && said.as_str().unwrap().contains("1001"), "{said}");
    assert_eq!(value("try:\n    adapter.nothing()\nexcept AttributeError:\n    x = 1\nx"), 1);
    assert_eq!(value("try:\n    adapter.keep(float('nan'))\nexcept ValueError:\n    x = 2\nx"), 2);
}

#[test]
fn what_is_not_caught_keeps_its_code_and_says_the_line_and_what_was_printed() {
    let fault = fault("print('so far')\nx = 1\nadapter.fail()\n");
    assert_eq!(fault.code, FaultCode::ElementNotFound);
    assert_eq!((&fault.data["line"], &fault.data["printed"]), (&json!(3), &json!("so far\n")));
    assert_eq!(fault.data["near_matches"], json!(["y"]));
    assert!(fault.message.starts_with("Line 3: No element"), "{}", fault.message);
}

#[test]
fn an_exception_of_the_script_says_its_type_its_line_and_where_it_was_called_from() {
    let raised = fault("def f(x):\n    return 1 / x\n\nf(0)\n");
    assert_eq!((raised.code, &raised.data["line"]), (FaultCode::InvalidParams, &json!(2)));
    assert_eq!(raised.data["exception"], "ZeroDivisionError");
    assert!(raised.data["traceback"].as_str().unwrap().contains("line 4"), "{}", raised.to_json());
    // a Fault that was caught is not what ended the script
    let other = fault("try:\n    adapter.fail()\nexcept LookupError:\n    pass\nraise ValueError('mine')");
    assert_eq!(other.code, FaultCode::InvalidParams);
    assert!(other.message.contains("Line 5: ValueError: mine"), "{}", other.message);
}

#[test]
fn a_script_that_is_no_python_is_refused_with_the_line() {
    let fault = fault("x = 1\nif x\n    y = 2\n");
    assert_eq!((fault.code, &fault.data["line"]), (FaultCode::InvalidParams, &json!(2)));
    assert!(fault.message.contains("SyntaxError"), "{}", fault.message);
}

#[test]
fn the_time_is_that_of_the_operation() {
    assert_eq!(value("from datetime import date\ndate.today().isoformat()"), "2026-11-22");
    assert_eq!(value("from datetime import datetime\nstr(datetime.now())[:13]"), "2026-11-22 00");
}

#[test]
fn what_agents_write_most_works() {
    assert_eq!(value("sum(x * x for x in range(4))"), 14);
    assert_eq!(value("f'{2.5:.2f}' + ','.join(sorted(['b', 'a'], key=lambda s: s))"), "2.50a,b");
    assert_eq!(
        value(
            "import math, json, re\n[round(math.sqrt(2), 3), json.loads('[1]')[0], re.sub('a', 'b', 'aa')]"
        ),
        json!([1.414, 1, "bb"])
    );
    assert_eq!(value("class P:\n    def __init__(self, x):\n        self.x = x\nP(3).x"), 3);
    assert_eq!(
        value("from collections import defaultdict\nd = defaultdict(list)\nd['a'].append(1)\ndict(d)"),
        json!({"a": [1]})
    );
    assert_eq!(value("adapter.unit"), "mm");
}
