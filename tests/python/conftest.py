"""Where things are: the program under test, the real models, what the evaluation left."""

import os
from pathlib import Path

import pytest

import client
import needs
import passed

ROOT = Path(__file__).resolve().parents[2]


def pytest_configure(config):
    """Leaves out checks that would do the same again, where the caller keeps what is known of them."""
    folder, seen = os.environ.get("PENSAER_PASSED"), os.environ.get("PENSAER_SEEN")
    if folder and seen:
        config.pluginmanager.register(passed.Passed(folder, seen, ROOT / "target"), "passed")


def _test_data():
    named = os.environ.get("PENSAER_TEST_DATA")
    folder = Path(named) if named else ROOT / ".." / "shared" / "data"
    return folder.resolve() if folder.is_dir() else None


def real_models():
    """The real models, by name; none where the folder is absent. `needed_models` is for tests."""
    data = _test_data()
    return sorted((data / "models").glob("*.ifc")) if data else []


def needed_models():
    """The real models, for a module that needs them."""
    return real_models() or needs.missing("the folder of real models", needs.DATA)


def models_named(*names):
    """The real models of these names, for a module that needs them."""
    found = [path for path in needed_models() if path.stem in names]
    if len(found) < len(names):
        needs.missing(f"one of the models {', '.join(names)}", needs.DATA)
    return found


def example(package, task):
    """The command that runs a task of a crate's example, which is named as the crate."""
    path = ROOT / "target" / "debug" / "examples" / package
    assert path.is_file(), f"{path} is missing: cargo build --workspace --example {package}"
    return [str(path), task]


@pytest.fixture(scope="session")
def program():
    """The `pensaer` under test."""
    path = Path(os.environ.get("PENSAER", ROOT / "target" / "debug" / "pensaer"))
    assert path.is_file(), f"{path} is missing: cargo build"
    return path


@pytest.fixture(scope="session")
def evaluated():
    """The folder that `pensaer eval --out` filled."""
    path = Path(os.environ.get("PENSAER_EVALUATED", ROOT / "target" / "evals"))
    assert path.is_dir(), f"{path} is missing: pensaer eval --out {path}"
    return path


@pytest.fixture
def data(tmp_path_factory):
    """A data folder that is clean."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def shared_session(program, tmp_path_factory):
    """One client for many models."""
    with client.Client(program, tmp_path_factory.mktemp("shared")) as session:
        yield session


@pytest.fixture
def duplex():
    """A real house of two dwellings."""
    [found] = models_named("Duplex_A_20110907")
    return found
