"""The EXPRESS rules of a schema, compiled by IfcOpenShell once in a process instead of once for each file, which takes seconds."""

import functools

import ifcopenshell
import ifcopenshell.express.rule_executor
from _pytest.assertion import rewrite


def keep_rules():
    """Lets IfcOpenShell keep what it compiled; a second call does nothing."""
    executor = ifcopenshell.express.rule_executor
    if hasattr(executor, "compile"):
        return
    plain, compiled = rewrite.rewrite_asserts, {}

    def rewritten(mod, *args, **named):
        if id(mod) not in compiled:
            plain(mod, *args, **named)

    def compile_once(tree, name, mode):
        if id(tree) not in compiled:
            compiled[id(tree)] = tree, compile(tree, name, mode)
        return compiled[id(tree)][1]

    class Parser:
        parse = staticmethod(functools.cache(executor.ast.parse))

        def __getattr__(self, name):
            return getattr(ast, name)

    ast, executor.ast = executor.ast, Parser()
    executor.compile, rewrite.rewrite_asserts = compile_once, rewritten
