"""The first floor: rules on plain numpy arrays, with no labels and no pandas."""
