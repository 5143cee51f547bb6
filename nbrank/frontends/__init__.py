"""Front ends: report, workbench and command line."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# main
