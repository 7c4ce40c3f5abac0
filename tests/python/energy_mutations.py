"""Faults put into models of EnergyPlus, by kinds. Each is made of a model and of a chance that is seeded, so that it is the same every time.

A kind is a function of model and chance that asks the model for changes; it raises `LookupError` (also by `chance.choice` of nothing, an `IndexError`)
where the model has nothing to be changed so. The kinds themselves stand in the modules that `load` names.
"""

import importlib
import random

from energy_idf import misspelt

KINDS = {}

# those that the checks were made with, and those that were made when the checks were done
TUNED = ("energy_mutations_systems", "energy_mutations_building")
HELD_OUT = ("energy_mutations_held_out",)
HELD_OUT_AGAIN = ("energy_mutations_held_out_again",)


LOADED = {}


def load(modules):
    """The names of the kinds of these modules."""
    for module in modules:
        if module not in LOADED:
            before = set(KINDS)
            importlib.import_module(module)
            LOADED[module] = [name for name in KINDS if name not in before]
    return [name for module in modules for name in LOADED[module]]


def kind(function):
    """Makes a function one of the kinds, by its name."""
    KINDS[function.__name__] = function
    return function


def picked(model, chance, *kinds, where=lambda one: True):
    """An object of these types, any as likely as another."""
    return chance.choice([one for kind in kinds for one in model.all(kind) if where(one)])


def simple(name, change):
    """Adds a kind that is made of a change."""
    KINDS[name] = change


def misspell(name, kinds, key, group=None, where=lambda one: True):
    """Adds the kind that misspells the value of a field."""

    def change(model, chance):
        filled = lambda one: where(one) and one.at(key, group) < len(one.values) and one.get(key, group)
        one = picked(model, chance, *kinds, where=filled)
        model.set(one, key, misspelt(one.get(key, group), chance), group)

    simple(name, change)


def drop(name, *kinds, every=False, where=lambda one: True):
    """Adds the kind that removes an object, or all of its type."""

    def change(model, chance):
        if every:
            gone = [one for kind in kinds for one in model.all(kind) if where(one)]
            if not gone:
                raise LookupError(name)
        else:
            gone = [picked(model, chance, *kinds, where=where)]
        for one in gone:
            model.remove(one)

    simple(name, change)


def put(name, kinds, key, value, where=lambda one: True, group=None):
    """Adds the kind that puts a value into a field."""

    def change(model, chance):
        there = lambda one: where(one) and one.at(key, group) < len(one.values)
        one = picked(model, chance, *kinds, where=there)
        model.set(one, key, value(one) if callable(value) else value, group)

    simple(name, change)


SURFACE = "BuildingSurface:Detailed"
WINDOW = "FenestrationSurface:Detailed"
AIR_COILS = ("Coil:Heating:Fuel", "Coil:Heating:Electric", "Coil:Cooling:DX:TwoSpeed", "Coil:Cooling:Water", "Coil:Heating:Water")
FANS = ("Fan:VariableVolume", "Fan:ConstantVolume", "Fan:OnOff", "Fan:SystemModel")
TERMINALS = ("AirTerminal:SingleDuct:VAV:Reheat", "AirTerminal:SingleDuct:ConstantVolume:NoReheat")


def mutated(name, model, prototype):
    """The text of a model with a fault of this kind; None where it has nothing to be changed so, or the change changes nothing."""
    chance = random.Random(f"{name} of {prototype}")
    model.fresh()
    try:
        KINDS[name](model, chance)
    except (LookupError, ValueError):
        return None
    text = model.changed()
    return text if text != model.text else None
