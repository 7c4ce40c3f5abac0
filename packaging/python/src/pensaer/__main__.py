"""`python -m pensaer ARGUMENTS`: the program itself."""

from pensaer._program import run

if __name__ == "__main__":
    run()
