"""Front ends: report, workbench and command line."""
