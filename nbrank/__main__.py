"""`python -m nbrank` is the command `nbrank`."""

from nbrank.frontends.command_line import main

if __name__ == "__main__":
    raise SystemExit(main())
