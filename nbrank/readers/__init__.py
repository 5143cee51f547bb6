"""Files and tables of other shapes, read into votes."""
