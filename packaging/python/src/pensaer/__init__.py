"""Pensaer: IFC building models for AI agents. The package holds the program `pensaer`; its modules find and start it.

It has no functions to edit models in Python: those are tools of the program, and `run_code` among them takes scripts.
"""

from pensaer._program import ProgramMissing, find_program

__all__ = ["ProgramMissing", "find_program"]
