"""`python -m nbrank` is the command `nbrank`."""

from nbrank.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
